/// Reads and checks the parts of a `pack.json`; every error names the key.
struct ManifestReader {
    /// The longest manifest that is read, in bytes.
    private static let maximumSize = 1 << 20

    private let manifest: JSON

    init(_ bytes: [UInt8]) throws(PackError) {
        guard bytes.count <= ManifestReader.maximumSize else {
            throw PackError("line 1", "longer than \(ManifestReader.maximumSize) bytes")
        }
        do {
            manifest = try JSON(parsing: bytes)
        } catch {
            let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
            let key = error.key.map { " \"\($0)\"" } ?? ""
            throw PackError("line \(line)", error.reason.rawValue + key)
        }
        guard manifest.members != nil else { throw PackError("line 1", "not an object") }
    }

    // MARK: Values

    func text(_ key: String) throws(PackError) -> String {
        guard let text = manifest[key]?.string, !text.isEmpty else { throw PackError(key, "not a text, or empty") }
        return text
    }

    func integer(_ key: String) throws(PackError) -> Int {
        guard let integer = manifest[key]?.integer else { throw PackError(key, "not a whole number") }
        return integer
    }

    private func members(_ key: String) throws(PackError) -> [JSON.Member] {
        guard let members = manifest[key]?.members else { throw PackError(key, "not an object") }
        return members
    }

    /// The members of an object whose values are all texts.
    private func texts(_ key: String) throws(PackError) -> [(key: String, text: String)] {
        var texts: [(key: String, text: String)] = []
        for member in try members(key) {
            guard let text = member.value.string else { throw PackError("\(key).\(member.key)", "not a text") }
            texts.append((member.key, text))
        }
        return texts
    }

    private func ruleSet(
        _ name: String?, of grammar: NumberGrammar, at key: String
    ) throws(PackError) -> NumberGrammar.RuleSetID {
        guard let name else { throw PackError(key, "not the name of a rule set") }
        guard let ruleSet = grammar.ruleSet(named: name) else {
            throw PackError(key, "the grammar has no public rule set \(name)")
        }
        return ruleSet
    }

    // MARK: Parts

    func plurals() throws(PackError) -> PluralRules {
        guard manifest["plurals"] != nil else { return PluralRules() }
        let rules = try texts("plurals").map { (category: $0.key, condition: $0.text) }
        do {
            return try PluralRules(rules)
        } catch {
            throw PackError("plurals.\(error.category)", error.why)
        }
    }

    func pauses() throws(PackError) -> Pauses {
        var pauses = Pauses()
        var isMissing: Set<String> = ["clip", "end"]
        for member in try members("pauses") {
            let key = "pauses.\(member.key)"
            guard let pause = member.value.integer, (0...5_000).contains(pause) else {
                throw PackError(key, "not a whole number of milliseconds within 0...5000")
            }
            isMissing.remove(member.key)
            let scalars = member.key.unicodeScalars
            switch member.key {
            case "clip": pauses.clip = pause
            case "end": pauses.end = pause
            default:
                guard let mark = scalars.first, scalars.count == 1, CharacterKind(mark) == .mark else {
                    throw PackError(key, "not a punctuation mark")
                }
                pauses.add(mark, pause)
            }
        }
        if let missing = isMissing.min() { throw PackError("pauses.\(missing)", "is missing") }
        return pauses
    }

    func styles(_ grammar: NumberGrammar) throws(PackError) -> [String: VoicePack.Style] {
        var styles: [String: VoicePack.Style] = [:]
        for member in try members("styles") {
            let key = "styles.\(member.key)"
            guard let unit = member.value["unit"]?.string.flatMap(VoicePack.AmountUnit.init) else {
                throw PackError("\(key).unit", "neither \"major\" nor \"minor\"")
            }
            guard let rules = member.value["rules"]?.members, !rules.isEmpty else {
                throw PackError("\(key).rules", "not an object, or empty")
            }
            var style = VoicePack.Style(unit: unit, ruleSets: [:])
            for rule in rules {
                let key = "\(key).rules.\(rule.key)"
                guard let currency = Currency(code: rule.key) else { throw PackError(key, "not a currency") }
                let ruleSet = try ruleSet(rule.value.string, of: grammar, at: key)
                guard unit == .minor || currency.decimals == 0 || grammar.readsFractions(ruleSet) else {
                    throw PackError(key, "the rule set has no rule x.x for the decimals")
                }
                style.ruleSets[rule.key] = ruleSet
            }
            styles[member.key] = style
        }
        return styles
    }

    func numbers(_ grammar: NumberGrammar) throws(PackError) -> VoicePack.Numbers {
        let numbers = manifest["numbers"]
        func ruleSet(_ name: String) throws(PackError) -> NumberGrammar.RuleSetID {
            try self.ruleSet(numbers?[name]?.string, of: grammar, at: "numbers.\(name)")
        }
        return VoicePack.Numbers(
            count: try ruleSet("count"), digits: try ruleSet("digits"), volume: try ruleSet("volume"),
            time: try ruleSet("time"))
    }

    func phrases(_ pauses: Pauses) throws(PackError) -> [String: Phrase] {
        var phrases: [String: Phrase] = [:]
        for (name, text) in try texts("phrases") {
            let key = "phrases.\(name)"
            let phrase: Phrase
            do {
                phrase = try Phrase(parsing: text)
            } catch {
                throw PackError(key, error.why)
            }
            let unknown = phrase.placeholders.subtracting(Phrase.placeholders(of: name))
            if let placeholder = unknown.map(\.rawValue).min() {
                throw PackError(key, "{\(placeholder)} has no value in this phrase")
            }
            if let mark = WordList.marks(in: text, without: pauses).first(where: { $0 != "{" && $0 != "}" }) {
                throw PackError(key, "the mark \"\(mark)\" has no entry in the pauses")
            }
            phrases[name] = phrase
        }
        for name in Phrase.required where phrases[name] == nil { throw PackError("phrases.\(name)", "is missing") }
        return phrases
    }

    func clips(_ pauses: Pauses) throws(PackError) -> ([VoicePack.Clip], Lexicon) {
        struct Place: Hashable {
            var words: [UInt8]
            var anchors: Lexicon.Anchors
        }
        var clips: [VoicePack.Clip] = []
        var places: [Place] = []
        var seen: Set<Place> = []
        var list = WordList()
        for (words, file) in try texts("clips") {
            let key = "clips.\(words)"
            guard file.isPlainName else { throw PackError(key, "\"\(file)\" is not a plain name of a file") }
            let (bare, anchors) = Lexicon.Anchors.split(words)
            if let mark = bare.unicodeScalars.first(where: { CharacterKind($0) == .mark }) {
                throw PackError(key, "no clip reaches across a mark (\"\(mark)\")")
            }
            list.split(Array(bare.utf8), pauses: pauses)
            guard !list.words.isEmpty else { throw PackError(key, "a clip without words") }
            let place = Place(words: list.bytes, anchors: anchors)
            guard seen.insert(place).inserted else { throw PackError(key, "another clip says the same words") }
            places.append(place)
            clips.append(VoicePack.Clip(words: words, file: file))
        }
        return (clips, Lexicon(places.map { ($0.words, $0.anchors) }))
    }
}

extension String {
    /// Whether this is a name in a folder: no separators, no control characters, and no leading dot, so that it is
    /// neither hidden nor `..`.
    var isPlainName: Bool {
        utf8.first != UInt8(ascii: ".") && (1...255).contains(utf8.count)
            && unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0 >= " " && $0 != "\u{7F}" }
    }
}
