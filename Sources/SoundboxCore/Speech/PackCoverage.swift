/// What of all that a voice pack can be asked to say its clips do not say: proven by a walk over every text of the phrases
/// and the grammar, not by samples.
///
/// Asked are: each phrase with all values of its placeholders, an amount alone, in every amount style and currency. The
/// values are all amounts (15 digits of minor units), counts to 99,999, times of a day, volumes to 100, and codes of
/// up to 16 digits. Any thread; takes some milliseconds to a second.
public struct PackCoverage: Sendable {
    /// A word that no clips say where it stands.
    public struct Gap: Equatable, Sendable {
        /// The word.
        public var word: String
        /// A text of the pack in which it is not covered.
        public var text: String
        /// The key of the phrase; `{amount}` for an amount alone.
        public var phrase: String
    }

    /// Up to where a style reads the amounts of a currency.
    public struct Limit: Equatable, Sendable {
        /// The amount style.
        public var style: String
        /// The currency's code.
        public var currency: String
        /// The smallest amount in minor units that the grammar refuses on purpose (`=#,##0=`); nil where it reads all.
        public var refusedFrom: UInt64?
    }

    /// The words that are not covered, each once; at most ``maximumGaps``.
    public private(set) var gaps: [Gap] = []
    /// Why some numbers cannot be read at all, a line each.
    public private(set) var unreadable: [String] = []
    /// By style and currency, sorted.
    public private(set) var limits: [Limit] = []
    /// Clips, by their index, whose words occur in no text where they may stand.
    public private(set) var unusedClips: [Int] = []

    /// So many gaps are enough to see what is wrong.
    public static let maximumGaps = 200
    /// The largest count that is asked.
    public static let largestCount: UInt64 = 99_999
    /// The longest code that is asked.
    public static let longestCode = 16

    /// Walks the pack.
    public init(of pack: VoicePack) {
        var texts = PackTexts(pack)
        texts.addPhrases()
        limits = texts.limits
        unreadable = texts.graph.problems + texts.problems
        // A word that was found is then taken as covered, so that the next walk finds the next one.
        var found: [[UInt8]] = []
        while true {
            let lexicon = Lexicon(pack, and: found)
            var walk = CoverWalk(texts.graph, lexicon: lexicon, clips: pack.clips.count + found.count)
            var gap: (phrase: String, text: [UInt8])?
            for (key, node) in texts.roots {
                guard let text = walk.uncoveredText(of: node) else { continue }
                gap = (key, text)
                break
            }
            guard let gap, gaps.count < Self.maximumGaps else {
                if gap == nil { unusedClips = pack.clips.indices.filter { !walk.fits[$0] } }
                return
            }
            var list = WordList()
            list.split(gap.text, pauses: pack.pauses)
            let text = String(decoding: gap.text, as: UTF8.self)
            guard !list.words.isEmpty else {
                unreadable.append("\(gap.phrase): \"\(text)\" has no words")
                return
            }
            let word = list.text(of: lexicon.firstUncovered(list))
            gaps.append(Gap(word: word, text: text, phrase: gap.phrase))
            found.append(Array(word.utf8) + [0])
        }
    }
}

extension Lexicon {
    /// The clips of a pack, and behind them words that are to count as covered.
    fileprivate init(_ pack: VoicePack, and words: [[UInt8]]) {
        var list = WordList()
        var clips = pack.clips.map { clip -> (words: [UInt8], anchors: Anchors) in
            let (bare, anchors) = Anchors.split(clip.words)
            list.split(Array(bare.utf8), pauses: pack.pauses)
            return (list.bytes, anchors)
        }
        clips += words.map { ($0, []) }
        self.init(clips)
    }
}

/// The graph of a pack's phrases.
private struct PackTexts {
    var graph: SpeechGraph
    /// What can be asked, by the key of the phrase.
    private(set) var roots: [(key: String, node: Int32)] = []
    private(set) var limits: [PackCoverage.Limit] = []
    /// Numbers other than amounts that are refused.
    private(set) var problems: [String] = []
    private let pack: VoicePack

    init(_ pack: VoicePack) {
        self.pack = pack
        graph = SpeechGraph(grammar: pack.grammar)
    }

    mutating func addPhrases() {
        let digit = number(pack.numbers.digits, 0...9, "a digit of a code")
        let space = graph.text(Array(" ".utf8))
        var code = graph.add([[.node(digit)]])
        for _ in 1..<PackCoverage.longestCode {
            code = graph.add([[.node(digit)], [.node(digit), space, .node(code)]])
        }
        let values: [Placeholder: Int32] = [
            .digits: code,
            .count: number(pack.numbers.count, 0...PackCoverage.largestCount, "a count"),
            .volume: number(pack.numbers.volume, 0...100, "a volume"),
            .time: number(pack.numbers.time, 0...1439, "a time"),
        ]
        let phrases = pack.phrases.sorted { $0.key < $1.key }
        for (key, phrase) in phrases where phrase.placeholders.isDisjoint(with: [.amount, .payment]) {
            let text = symbols(of: phrase, values)
            roots.append((key, graph.add([text])))
        }
        for (style, currency, amount) in amounts() {
            var values = values
            values[.amount] = amount
            let payments = phrases.filter { Phrase.family(of: $0.key) != nil }.map { symbols(of: $0.value, values) }
            values[.payment] = graph.add(payments)
            let label = pack.styles.count * limits.count > 1 ? " (\(style), \(currency))" : ""
            roots.append(("{amount}\(label)", amount))
            for (key, phrase) in phrases where !phrase.placeholders.isDisjoint(with: [.amount, .payment]) {
                let text = symbols(of: phrase, values)
                roots.append((key + label, graph.add([text])))
            }
        }
    }

    private mutating func amounts() -> [(style: String, currency: String, node: Int32)] {
        var amounts: [(String, String, Int32)] = []
        for (name, style) in pack.styles.sorted(by: { $0.key < $1.key }) {
            for (code, ruleSet) in style.ruleSets.sorted(by: { $0.key < $1.key }) {
                guard let currency = Currency(code: code) else { continue }
                let digits = style.unit == .major ? currency.decimals : 0
                var scale: UInt64 = 1
                for _ in 0..<digits { scale *= 10 }
                let range = 0...Amount.largest / scale
                let whole = graph.node(ruleSet, .whole(range))
                var nodes = [whole]
                if digits > 0 { nodes.append(graph.node(ruleSet, .decimal(whole: range, digits: digits))) }
                let refused = nodes.compactMap { graph.nodes[Int($0)].refusedFrom }.min()
                limits.append(.init(style: name, currency: code, refusedFrom: refused.map { $0 * scale }))
                amounts.append((name, code, graph.add(nodes.map { [.node($0)] })))
            }
        }
        return amounts
    }

    private mutating func number(
        _ ruleSet: NumberGrammar.RuleSetID, _ range: ClosedRange<UInt64>, _ what: String
    ) -> Int32 {
        let node = graph.node(ruleSet, .whole(range))
        if let refused = graph.nodes[Int(node)].refusedFrom {
            problems.append("the grammar refuses \(what), \(refused)")
        }
        return node
    }

    private mutating func symbols(of phrase: Phrase, _ values: [Placeholder: Int32]) -> [SpeechGraph.Symbol] {
        phrase.pieces.compactMap { piece in
            switch piece {
            case .text(let bytes): graph.text(bytes)
            case .placeholder(let placeholder): values[placeholder].map { .node($0) }
            }
        }
    }
}
