/// How one language and voice says things: its phrases, its grammar, and the words of its recordings.
///
/// The format is described in `docs/voice-pack.md`. Everything that can be checked without opening a recording is
/// checked when a pack is read, so that a pack that loads can say every fixed phrase. Immutable after that; any thread
/// may use it.
public struct VoicePack: Sendable {
    /// One recording.
    public struct Clip: Hashable, Sendable {
        /// The words that it says as the pack has them, with `^` and `$`.
        public let words: String
        /// Its file in the pack's folder `clips`.
        public let file: String
    }

    /// How an amount is handed to its rule set.
    enum AmountUnit: String, Sendable {
        case major, minor
    }

    /// One amount style: the rule set by currency code.
    struct Style: Sendable {
        var unit: AmountUnit
        var ruleSets: [String: NumberGrammar.RuleSetID]
    }

    /// The rule sets of the other placeholders.
    struct Numbers: Sendable {
        var count: NumberGrammar.RuleSetID
        var digits: NumberGrammar.RuleSetID
        var volume: NumberGrammar.RuleSetID
        var time: NumberGrammar.RuleSetID
    }

    /// The pack's name, and that of its folder.
    public let id: String
    /// The version of its contents.
    public let version: String
    /// A BCP 47 tag, `zh-CN`.
    public let language: String
    /// A name for the speaker.
    public let voice: String
    /// An SPDX expression.
    public let licence: String
    /// The sample rate of every clip, in Hz.
    public let rate: Int
    /// The amount style that is used unless another is named.
    public let defaultStyle: String
    /// The recordings, in the order of the pack; ``ClipPlan/Step/clip(_:)`` counts in it.
    public let clips: [Clip]

    let pauses: Pauses
    let grammar: NumberGrammar
    let styles: [String: Style]
    let numbers: Numbers
    let phrases: [String: Phrase]
    let lexicon: Lexicon

    /// The names of the amount styles, sorted.
    public var styleNames: [String] { styles.keys.sorted() }

    /// The codes of the currencies that an amount style reads, sorted; none where there is no such style.
    public func currencies(of style: String) -> [String] { (styles[style]?.ruleSets.keys).map { $0.sorted() } ?? [] }

    /// The keys of the phrases, sorted.
    public var phraseKeys: [String] { phrases.keys.sorted() }

    /// The phrase that is said for a key, as the pack has it: its own, or that of all channels; nil where there is none.
    public func phrase(for key: String) -> String? {
        (phrases[key] ?? Phrase.family(of: key).flatMap { phrases[$0] })?.text
    }

    /// Whether a phrase says the amount of a payment or a refund.
    public func saysAmount(_ key: String) -> Bool {
        Phrase.family(of: key) != nil && phrases[key]?.placeholders.contains(.amount) == true
    }

    /// Reads and checks a pack.
    ///
    /// - Parameters:
    ///   - manifest: the bytes of `pack.json`.
    ///   - grammar: the bytes of `grammar.rbnf`.
    public init(manifest: [UInt8], grammar: [UInt8]) throws(PackError) {
        let reader = try ManifestReader(manifest)
        guard try reader.integer("format") == 1 else { throw PackError("format", "only format 1 is known") }
        id = try reader.text("id")
        guard id.isPlainName else { throw PackError("id", "not a plain name of a folder") }
        version = try reader.text("version")
        language = try reader.text("language")
        voice = try reader.text("voice")
        licence = try reader.text("licence")
        rate = try reader.integer("rate")
        guard (8_000...192_000).contains(rate) else { throw PackError("rate", "\(rate) is not within 8000...192000") }
        pauses = try reader.pauses()
        let plurals = try reader.plurals()
        do {
            self.grammar = try NumberGrammar(parsing: grammar, plurals: plurals)
        } catch {
            throw PackError(error)
        }
        styles = try reader.styles(self.grammar)
        defaultStyle = try reader.text("style")
        guard styles[defaultStyle] != nil else { throw PackError("style", "there is no style \"\(defaultStyle)\"") }
        numbers = try reader.numbers(self.grammar)
        phrases = try reader.phrases(pauses)
        (clips, lexicon) = try reader.clips(pauses)
        try checkGrammarMarks()
        try checkFixedPhrases()
    }

    private func checkGrammarMarks() throws(PackError) {
        for literal in grammar.literals {
            if let mark = WordList.marks(in: literal, without: pauses).first {
                throw PackError(.grammar, "\"\(literal)\"", "the mark \"\(mark)\" has no entry in the pauses")
            }
        }
    }

    /// Phrases without placeholders are known in full, so each must have a cover.
    private func checkFixedPhrases() throws(PackError) {
        let planner = Planner(pack: self)
        for (key, phrase) in phrases.sorted(by: { $0.key < $1.key }) where phrase.placeholders.isEmpty {
            do {
                _ = try planner.plan(.phrase(key))
            } catch {
                throw PackError("phrases.\(key)", "\(error)")
            }
        }
    }
}

/// Why a voice pack cannot be used, and where that shows.
public struct PackError: Error, Equatable, Sendable {
    /// A file of the pack.
    public enum File: String, Sendable {
        case manifest = "pack.json"
        case grammar = "grammar.rbnf"
    }

    /// The file that is wrong.
    public var file: File
    /// The key in pack.json with its parents, `phrases.late`, or the line, `line 12`.
    public var place: String
    /// What is wrong, in a few words.
    public var why: String

    init(_ file: File, _ place: String, _ why: String) {
        self.file = file
        self.place = place
        self.why = why
    }

    init(_ key: String, _ why: String) {
        self.init(.manifest, key, why)
    }

    init(_ error: GrammarError) {
        self.init(.grammar, "line \(error.line)", error.text.isEmpty ? error.why : "\(error.text): \(error.why)")
    }
}

extension PackError: CustomStringConvertible {
    /// One line for a person: the file, the place, and the reason.
    public var description: String { "\(file.rawValue): \(place): \(why)" }
}
