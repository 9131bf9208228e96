/// How one language reads numbers: rule-based number format (RBNF) as CLDR and ICU write it, interpreted exactly.
///
/// Only whole numbers (`UInt64`) and exact decimals pass through it; there is no floating point. The grammar is
/// compiled into flat arrays of trivial values, so that reading a number neither allocates nor counts references
/// beyond the buffer it appends to. Immutable after parsing, so any thread may use it.
///
/// What of RBNF is read, and what is refused, is in `docs/voice-pack.md`; the semantics, the rollback rule and `>>>`
/// included, are those of ICU's `RuleBasedNumberFormat`.
public struct NumberGrammar: Sendable {
    /// One public rule set of a grammar, found by ``ruleSet(named:)``; of no meaning to another grammar.
    public struct RuleSetID: Hashable, Sendable {
        let index: Int
    }

    /// Why a number cannot be read.
    public enum ReadError: Error, Equatable, Sendable {
        /// The rule set, by its name, has no rule for the number.
        case noRule(String)
        /// The rules call each other without an end, or say more than any number needs.
        case endless
    }

    /// The text of a literal: bytes of `pool`.
    struct Text: Sendable {
        var start: Int32
        var count: Int32
    }

    /// What a substitution makes of the number that its rule was given.
    enum Value: Sendable {
        case quotient, remainder, same, magnitude, integerPart
    }

    /// What reads the value of a substitution.
    enum Target: Sendable {
        case ruleSet(Int32)
        /// One rule without a search: `>>>`.
        case rule(Int32)
        /// Digits, `0` or with a comma between thousands, `#,##0`.
        case digits(grouped: Bool)
    }

    /// One step of a rule.
    enum Operation: Sendable {
        case text(Text)
        case substitution(Value, Target)
        case fractionDigits(ruleSet: Int32, spaced: Bool)
        /// A text by the category of number / divisor: the first of six entries in `pluralTexts`.
        case plural(Int32)
    }

    struct Rule: Sendable {
        var base: UInt64
        var divisor: UInt64
        var operations: Range<Int32>
        /// Whether the rule before this one is taken for multiples of the divisor (ICU's rollback rule).
        var rollsBack: Bool
    }

    struct RuleSet: Sendable {
        var rules: Range<Int32> = 0..<0
        /// The special rules `-x`, `x.x` and `0.x`, or nil.
        var negative: Int32?
        var improper: Int32?
        var proper: Int32?
    }

    var names: [String] = []
    var indices: [String: Int] = [:]
    var ruleSets: [RuleSet] = []
    var rules: [Rule] = []
    var operations: [Operation] = []
    var pluralTexts: [Text] = []
    var pool: [UInt8] = []
    let plurals: PluralRules

    // As in ICU; the other two only stop grammars that no language needs: an 18-digit number takes about sixty rules.
    static let maximumDepth = 64
    static let maximumRules = 2_000
    static let maximumBytes = 8_192

    init(plurals: PluralRules) {
        self.plurals = plurals
    }

    /// The public rule set with this name (with its `%`); nil where there is none, or it is private (`%%`).
    public func ruleSet(named name: String) -> RuleSetID? {
        guard !name.hasPrefix("%%"), let index = indices[name] else { return nil }
        return RuleSetID(index: index)
    }

    /// Whether a rule set has a rule for numbers with a fraction.
    public func readsFractions(_ ruleSet: RuleSetID) -> Bool {
        ruleSets[ruleSet.index].improper != nil
    }

    /// Every text that the grammar can say.
    var literals: [String] {
        let texts = operations.compactMap { operation -> Text? in
            if case .text(let text) = operation { text } else { nil }
        }
        return (texts + pluralTexts).map { text in
            String(decoding: pool[Int(text.start)..<Int(text.start) + Int(text.count)], as: UTF8.self)
        }
    }

    /// Appends the number in words, UTF-8, to `bytes`; what was appended before an error stays there.
    public func append(
        _ number: DecimalNumber, by ruleSet: RuleSetID, to bytes: inout [UInt8]
    ) throws(ReadError) {
        var reading = Reading(limit: bytes.count + NumberGrammar.maximumBytes)
        try read(number, Int32(truncatingIfNeeded: ruleSet.index), depth: 0, &reading, &bytes)
    }

    /// The number in words.
    public func text(of number: DecimalNumber, by ruleSet: RuleSetID) throws(ReadError) -> String {
        var bytes: [UInt8] = []
        try append(number, by: ruleSet, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - Interpreting

extension NumberGrammar {
    /// What one call has spent.
    private struct Reading {
        var rules = 0
        let limit: Int
    }

    private func read(
        _ number: DecimalNumber, _ index: Int32, depth: Int, _ reading: inout Reading, _ bytes: inout [UInt8]
    ) throws(ReadError) {
        let ruleSet = ruleSets[Int(index)]
        let rule: Int32?
        if number.isNegative {
            rule = ruleSet.negative
        } else if number.fractionDigits > 0 {
            rule = number.integer == 0 ? ruleSet.proper ?? ruleSet.improper : ruleSet.improper
        } else {
            rule = self.rule(for: number.integer, in: ruleSet)
        }
        guard let rule else { throw .noRule(names[Int(index)]) }
        try apply(rule, number, depth: depth, &reading, &bytes)
    }

    /// The last rule whose base does not exceed the number, or, by the rollback rule, the one before it.
    ///
    /// `100: << hundred[ >>];` stands for two rules, at 100 and at 101; 200 must be read by the first, although 101
    /// is nearer, or it would be "two hundred zero".
    private func rule(for number: UInt64, in ruleSet: RuleSet) -> Int32? {
        var low = ruleSet.rules.lowerBound
        var high = ruleSet.rules.upperBound
        while low < high {
            let middle = (low + high) / 2
            if rules[Int(middle)].base <= number { low = middle + 1 } else { high = middle }
        }
        guard low > ruleSet.rules.lowerBound else { return nil }
        let rule = rules[Int(low - 1)]
        guard rule.rollsBack, number % rule.divisor == 0 else { return low - 1 }
        return low - 1 > ruleSet.rules.lowerBound ? low - 2 : nil
    }

    private func apply(
        _ index: Int32, _ number: DecimalNumber, depth: Int, _ reading: inout Reading, _ bytes: inout [UInt8]
    ) throws(ReadError) {
        reading.rules += 1
        guard depth < NumberGrammar.maximumDepth, reading.rules <= NumberGrammar.maximumRules else { throw .endless }
        let rule = rules[Int(index)]
        for at in rule.operations {
            switch operations[Int(at)] {
            case .text(let text): try append(text, reading, &bytes)
            case .plural(let first):
                let category = plurals.category(of: DecimalNumber(number.integer / rule.divisor))
                try append(pluralTexts[Int(first) + category.index], reading, &bytes)
            case .substitution(let value, let target):
                let value = value.of(number, divisor: rule.divisor)
                switch target {
                case .ruleSet(let set): try read(value, set, depth: depth + 1, &reading, &bytes)
                case .rule(let rule): try apply(rule, value, depth: depth + 1, &reading, &bytes)
                case .digits(let grouped): appendDigits(of: value.integer, grouped: grouped, &bytes)
                }
            case .fractionDigits(let set, let spaced):
                try readDigits(of: number, set, spaced: spaced, depth: depth + 1, &reading, &bytes)
            }
        }
    }

    private func append(_ text: Text, _ reading: Reading, _ bytes: inout [UInt8]) throws(ReadError) {
        guard bytes.count + Int(text.count) <= reading.limit else { throw .endless }
        for at in Int(text.start)..<Int(text.start) + Int(text.count) { bytes.append(pool[at]) }
    }

    /// Reads the digits behind the point one by one, the zeros in front of them too.
    private func readDigits(
        of number: DecimalNumber, _ set: Int32, spaced: Bool, depth: Int, _ reading: inout Reading,
        _ bytes: inout [UInt8]
    ) throws(ReadError) {
        var divisor: UInt64 = 1
        for _ in 1..<max(1, number.fractionDigits) { divisor *= 10 }
        for place in 0..<number.fractionDigits {
            if place > 0, spaced { bytes.append(UInt8(ascii: " ")) }
            try read(DecimalNumber(number.fraction / divisor % 10), set, depth: depth, &reading, &bytes)
            divisor /= 10
        }
    }

    private func appendDigits(of number: UInt64, grouped: Bool, _ bytes: inout [UInt8]) {
        var divisor: UInt64 = 1
        var digits = 1
        while number / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while digits > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
            digits -= 1
            if grouped, digits > 0, digits % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
        }
    }
}

extension NumberGrammar.Value {
    fileprivate func of(_ number: DecimalNumber, divisor: UInt64) -> DecimalNumber {
        switch self {
        case .quotient: DecimalNumber(number.integer / divisor)
        case .remainder: DecimalNumber(number.integer % divisor)
        case .same: number
        case .magnitude: number.magnitude
        case .integerPart: DecimalNumber(number.integer)
        }
    }
}

extension PluralCategory {
    /// The category's place in ``allCases``.
    var index: Int {
        switch self {
        case .zero: 0
        case .one: 1
        case .two: 2
        case .few: 3
        case .many: 4
        case .other: 5
        }
    }
}
