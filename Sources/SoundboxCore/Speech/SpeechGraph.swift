/// Every text that a voice pack can say, as a graph without cycles: a node is one of its alternatives, an alternative is
/// a run of texts and nodes.
///
/// A node stands for a rule set and the numbers that reach it: `%digits` with 0 to 9 is another node than `%digits` with
/// all numbers, so a rule that no number reaches is not in the graph. Numbers are ranges; a rule splits them into quotients
/// and remainders, which vary independently in a range of whole multiples of the divisor, and a range is cut so that
/// its parts are such ranges. Where that cannot be kept (a remainder read by a rule of another divisor after ICU's
/// rollback, plurals by the last digits of large numbers) the graph says more than the grammar: never less.
struct SpeechGraph {
    /// One step of an alternative.
    enum Symbol: Hashable {
        /// By its index in ``SpeechGraph/texts``.
        case text(Int32)
        /// By its index in ``SpeechGraph/nodes``.
        case node(Int32)
    }

    struct Node {
        /// What is said, one of these. None: the node cannot be said.
        var alternatives: [[Symbol]] = []
        /// The smallest number that is refused on purpose, by a rule of digits (`=#,##0=`).
        var refusedFrom: UInt64?
        /// How deep rules call rules in it, how many are used at most, and the longest text in bytes.
        var depth = 0
        var rules = 0
        var bytes = 0
    }

    /// What a node reads.
    enum Numbers: Hashable {
        case whole(ClosedRange<UInt64>)
        /// With this whole part, and one to so many digits behind the point, of which the last is not 0.
        case decimal(whole: ClosedRange<UInt64>, digits: Int)
    }

    private enum Key: Hashable {
        case ruleSet(Int32, Numbers)
        case rule(Int32, ClosedRange<UInt64>)
        case fraction(ruleSet: Int32, spaced: Bool, digits: Int)
    }

    private(set) var nodes: [Node] = []
    private(set) var texts: [[UInt8]] = []
    /// Why some numbers cannot be read at all, a line each.
    private(set) var problems: [String] = []
    private let grammar: NumberGrammar
    private var known: [Key: Int32] = [:]
    private var open: Set<Key> = []
    private var textIndices: [[UInt8]: Int32] = [:]

    /// More nodes than any language needs: the pack's own have a few hundred.
    private static let maximumNodes = 50_000

    init(grammar: NumberGrammar) {
        self.grammar = grammar
    }

    /// The node that reads these numbers.
    mutating func node(_ ruleSet: NumberGrammar.RuleSetID, _ numbers: Numbers) -> Int32 {
        node(.ruleSet(Int32(truncatingIfNeeded: ruleSet.index), numbers), depth: 0)
    }

    /// A node of alternatives; those that have an unsayable node in them are left out.
    mutating func add(_ alternatives: [[Symbol]]) -> Int32 {
        var node = Node()
        for symbols in alternatives { append(symbols, to: &node) }
        nodes.append(node)
        return Int32(nodes.count - 1)
    }

    /// The symbol of a text.
    mutating func text(_ bytes: [UInt8]) -> Symbol {
        if let index = textIndices[bytes] { return .text(index) }
        let index = Int32(texts.count)
        texts.append(bytes)
        textIndices[bytes] = index
        return .text(index)
    }

    private func append(_ symbols: [Symbol], to node: inout Node) {
        var rules = 1
        var bytes = 0
        var depth = 0
        for symbol in symbols {
            switch symbol {
            case .text(let index): bytes += texts[Int(index)].count
            case .node(let index):
                let part = nodes[Int(index)]
                guard !part.alternatives.isEmpty else { return }
                // A grammar of nonsense reaches numbers that do not fit an integer.
                rules = min(rules + part.rules, 1 << 32)
                bytes = min(bytes + part.bytes, 1 << 32)
                depth = max(depth, part.depth)
            }
        }
        node.alternatives.append(symbols)
        node.rules = max(node.rules, rules)
        node.bytes = max(node.bytes, bytes)
        node.depth = max(node.depth, depth + 1)
    }

    private mutating func report(_ problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}

// MARK: - Reading numbers

extension SpeechGraph {
    private mutating func node(_ key: Key, depth: Int) -> Int32 {
        if let index = known[key] { return index }
        var node = Node()
        if open.contains(key) || depth > NumberGrammar.maximumDepth {
            report("the grammar's rules do not come to an end")
        } else if nodes.count >= Self.maximumNodes {
            report("the grammar is too large to be walked")
        } else {
            open.insert(key)
            switch key {
            case .ruleSet(let set, .whole(let range)): readWhole(range, set, depth, &node)
            case .ruleSet(let set, .decimal(let range, let digits)): readDecimal(range, digits, set, depth, &node)
            case .rule(let rule, let range): apply(rule, range, .all, depth, &node)
            case .fraction(let set, let spaced, let digits): readFraction(set, spaced, digits, depth, &node)
            }
            open.remove(key)
        }
        if node.depth > NumberGrammar.maximumDepth || node.rules > NumberGrammar.maximumRules
            || node.bytes > NumberGrammar.maximumBytes
        {
            report("the grammar's rules do not come to an end")
        }
        nodes.append(node)
        let index = Int32(nodes.count - 1)
        known[key] = index
        return index
    }

    private mutating func readWhole(
        _ range: ClosedRange<UInt64>, _ index: Int32, _ depth: Int, _ node: inout Node
    ) {
        let ruleSet = grammar.ruleSets[Int(index)]
        let name = grammar.names[Int(index)]
        if let first = ruleSet.rules.first, grammar.rules[Int(first)].base > range.lowerBound {
            let last = min(range.upperBound, grammar.rules[Int(first)].base - 1)
            report("the rule set \(name) has no rule for \(range.lowerBound)–\(last)")
        }
        for rule in ruleSet.rules {
            let low = max(grammar.rules[Int(rule)].base, range.lowerBound)
            let isLast = rule + 1 == ruleSet.rules.upperBound
            let high = min(isLast ? .max : grammar.rules[Int(rule) + 1].base - 1, range.upperBound)
            guard low <= high else { continue }
            guard grammar.rules[Int(rule)].rollsBack else {
                apply(rule, low...high, .all, depth, &node)
                continue
            }
            apply(rule, low...high, .others, depth, &node)
            // ICU's rollback rule: multiples of the divisor are read by the rule before.
            let divisor = grammar.rules[Int(rule)].divisor
            let multiples = (low / divisor + (low % divisor == 0 ? 0 : 1), high / divisor)
            guard multiples.0 <= multiples.1 else { continue }
            if rule > ruleSet.rules.lowerBound {
                apply(rule - 1, multiples.0 * divisor...multiples.1 * divisor, .multiples(divisor), depth, &node)
            } else {
                report("the rule set \(name) has no rule for \(multiples.0 * divisor)")
            }
        }
    }

    private mutating func readDecimal(
        _ range: ClosedRange<UInt64>, _ digits: Int, _ index: Int32, _ depth: Int, _ node: inout Node
    ) {
        let ruleSet = grammar.ruleSets[Int(index)]
        var improper = range
        if range.lowerBound == 0, let proper = ruleSet.proper {
            applySpecial(proper, 0...0, digits, depth, &node)
            guard range.upperBound > 0 else { return }
            improper = 1...range.upperBound
        }
        guard let rule = ruleSet.improper else {
            return report("the rule set \(grammar.names[Int(index)]) has no rule for numbers with a fraction")
        }
        applySpecial(rule, improper, digits, depth, &node)
    }

    /// The digits behind the point: the last is not 0, since zeros at the end are not part of the number.
    private mutating func readFraction(
        _ set: Int32, _ spaced: Bool, _ digits: Int, _ depth: Int, _ node: inout Node
    ) {
        let last = self.node(.ruleSet(set, .whole(1...9)), depth: depth + 1)
        append([.node(last)], to: &node)
        guard digits > 1 else { return }
        let digit = self.node(.ruleSet(set, .whole(0...9)), depth: depth + 1)
        let rest = self.node(.fraction(ruleSet: set, spaced: spaced, digits: digits - 1), depth: depth + 1)
        let space = spaced ? [text(Array(" ".utf8))] : []
        append([.node(digit)] + space + [.node(rest)], to: &node)
    }

    /// Which numbers of a range a rule is given.
    private enum Selection {
        case all
        case multiples(UInt64)
        /// Those that are not multiples of the rule's own divisor.
        case others
    }

    private mutating func apply(
        _ index: Int32, _ range: ClosedRange<UInt64>, _ selection: Selection, _ depth: Int, _ node: inout Node
    ) {
        let rule = grammar.rules[Int(index)]
        let operations = rule.operations.map { grammar.operations[Int($0)] }
        let plural = operations.contains { if case .plural = $0 { true } else { false } }
        let divides = operations.contains { operation in
            switch operation {
            case .substitution(.quotient, _), .substitution(.remainder, _): true
            default: false
            }
        }
        guard divides || plural else { return append(operations, Part(whole: range), .other, depth, &node) }
        for part in Self.parts(of: range, divisor: rule.divisor, selection) {
            guard plural else {
                append(operations, part, .other, depth, &node)
                continue
            }
            for (quotients, categories) in grammar.plurals.categories(of: part.quotients) {
                for category in categories {
                    append(
                        operations, Part(quotients: quotients, remainders: part.remainders, divisor: rule.divisor),
                        category, depth, &node)
                }
            }
        }
    }

    private mutating func applySpecial(
        _ index: Int32, _ range: ClosedRange<UInt64>, _ digits: Int, _ depth: Int, _ node: inout Node
    ) {
        var part = Part(whole: range)
        part.digits = digits
        append(grammar.rules[Int(index)].operations.map { grammar.operations[Int($0)] }, part, .other, depth, &node)
    }

    /// Numbers of a rule: every quotient occurs with every remainder.
    fileprivate struct Part {
        var quotients: ClosedRange<UInt64>
        var remainders: ClosedRange<UInt64>
        var whole: ClosedRange<UInt64>
        var divisor: UInt64 = 1
        /// Behind the point, for numbers with a fraction.
        var digits = 0

        init(whole: ClosedRange<UInt64>) {
            (quotients, remainders, self.whole) = (whole, 0...0, whole)
        }

        init(quotients: ClosedRange<UInt64>, remainders: ClosedRange<UInt64>, divisor: UInt64) {
            self.quotients = quotients
            self.remainders = remainders
            self.divisor = divisor
            whole =
                quotients.lowerBound * divisor + remainders.lowerBound...quotients.upperBound * divisor
                + remainders.upperBound
        }
    }

    private static func parts(
        of range: ClosedRange<UInt64>, divisor: UInt64, _ selection: Selection
    ) -> [Part] {
        var (low, high) = (range.lowerBound / divisor, range.upperBound / divisor)
        let (first, last) = (range.lowerBound % divisor, range.upperBound % divisor)
        var parts: [(quotients: ClosedRange<UInt64>, remainders: ClosedRange<UInt64>)] = []
        if low == high {
            parts.append((low...high, first...last))
        } else {
            if first > 0 {
                parts.append((low...low, first...divisor - 1))
                low += 1
            }
            let isCut = last < divisor - 1
            if isCut { parts.append((high...high, 0...last)) }
            if low < high || !isCut { parts.append((low...(isCut ? high - 1 : high), 0...divisor - 1)) }
        }
        return parts.compactMap { part in
            var remainders = part.remainders
            switch selection {
            case .all: break
            case .multiples(let of) where of % divisor == 0:
                guard remainders.lowerBound == 0 else { return nil }
                remainders = 0...0
            case .multiples: break
            case .others:
                guard remainders.upperBound > 0 else { return nil }
                remainders = max(1, remainders.lowerBound)...remainders.upperBound
            }
            return Part(quotients: part.quotients, remainders: remainders, divisor: divisor)
        }
    }

    /// Adds what a rule says of such numbers, or notes that it refuses them.
    private mutating func append(
        _ operations: [NumberGrammar.Operation], _ part: Part, _ category: PluralCategory, _ depth: Int,
        _ node: inout Node
    ) {
        var symbols: [Symbol] = []
        var refused: [UInt64] = []
        for operation in operations {
            switch operation {
            case .text(let text): symbols.append(self.text(grammar.bytes(of: text)))
            case .plural(let first):
                symbols.append(text(grammar.bytes(of: grammar.pluralTexts[Int(first) + category.index])))
            case .substitution(_, .digits): refused.append(part.whole.lowerBound)
            case .substitution(let value, .ruleSet(let set)):
                let numbers = part.numbers(value)
                let child = self.node(.ruleSet(set, numbers), depth: depth + 1)
                if let number = nodes[Int(child)].refusedFrom { refused.append(part.number(with: number, as: value)) }
                symbols.append(.node(child))
            case .substitution(let value, .rule(let rule)):
                let child = self.node(.rule(rule, part.range(value)), depth: depth + 1)
                if let number = nodes[Int(child)].refusedFrom { refused.append(part.number(with: number, as: value)) }
                symbols.append(.node(child))
            case .fractionDigits(let set, let spaced):
                let digits = max(1, part.digits)
                symbols.append(.node(self.node(.fraction(ruleSet: set, spaced: spaced, digits: digits), depth: depth)))
            }
        }
        if let first = refused.min() { node.refusedFrom = min(node.refusedFrom ?? first, first) }
        let isDigits = operations.contains { if case .substitution(_, .digits) = $0 { true } else { false } }
        if !isDigits { append(symbols, to: &node) }
    }
}

extension SpeechGraph.Part {
    /// What a substitution makes of the numbers.
    fileprivate func range(_ value: NumberGrammar.Value) -> ClosedRange<UInt64> {
        switch value {
        case .quotient: quotients
        case .remainder: remainders
        case .same, .magnitude, .integerPart: whole
        }
    }

    fileprivate func numbers(_ value: NumberGrammar.Value) -> SpeechGraph.Numbers {
        value == .same && digits > 0 ? .decimal(whole: whole, digits: digits) : .whole(range(value))
    }

    /// The smallest of the numbers of which a substitution makes this one.
    fileprivate func number(with part: UInt64, as value: NumberGrammar.Value) -> UInt64 {
        switch value {
        case .quotient: whole.lowerBound + (part - quotients.lowerBound) * divisor
        case .remainder: whole.lowerBound + (part - remainders.lowerBound)
        case .same, .magnitude, .integerPart: part
        }
    }
}

extension NumberGrammar {
    /// The bytes of a literal.
    func bytes(of text: Text) -> [UInt8] {
        Array(pool[Int(text.start)..<Int(text.start) + Int(text.count)])
    }
}
