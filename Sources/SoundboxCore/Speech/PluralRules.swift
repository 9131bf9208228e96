/// The plural category of a number (UTS 35, part 3, Language Plural Rules).
public enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

/// The cardinal plural rules of one language, as CLDR writes them: `one` is `i = 1 and v = 0`.
///
/// The operands are those of UTS 35 (`n i v w f t c e`); the samples behind `@` are skipped. Immutable after parsing,
/// so any thread may use it.
public struct PluralRules: Sendable {
    /// Why a condition cannot be read.
    public struct ParseError: Error, Equatable, Sendable {
        /// The category as it was written.
        public var category: String
        /// What is wrong with its condition.
        public var why: String
    }

    private enum Operand: Sendable {
        case absolute, integer, visibleDigits, fraction, exponent
    }

    /// `operand % modulus = ranges`; a modulus of 0 stands for none.
    private struct Relation: Sendable {
        var operand: Operand
        var modulus: UInt64 = 0
        var isNegated = false
        var ranges: Range<Int> = 0..<0
        /// Whether an `or`, or the end of the condition, follows.
        var endsAlternative = false
    }

    private struct Condition: Sendable {
        var category: PluralCategory
        var relations: Range<Int>
    }

    private var conditions: [Condition] = []
    private var relations: [Relation] = []
    private var ranges: [ClosedRange<UInt64>] = []

    /// Rules under which every number is `other`.
    public init() {}

    /// Reads conditions by category. They are tried in the order given; a number that meets none is `other`.
    public init(_ rules: [(category: String, condition: String)]) throws(ParseError) {
        var seen: Set<PluralCategory> = []
        for (name, condition) in rules {
            guard let category = PluralCategory(rawValue: name) else {
                throw ParseError(category: name, why: "no such category (zero, one, two, few, many, other)")
            }
            guard seen.insert(category).inserted else { throw ParseError(category: name, why: "defined twice") }
            let start = relations.count
            do {
                try parse(condition)
            } catch {
                throw ParseError(category: name, why: error.why)
            }
            if category == .other {
                guard relations.count == start else { throw ParseError(category: name, why: "takes no condition") }
            } else {
                guard relations.count > start else { throw ParseError(category: name, why: "the condition is empty") }
                conditions.append(Condition(category: category, relations: start..<relations.count))
            }
        }
    }

    /// Whether some numbers can have this category.
    public func defines(_ category: PluralCategory) -> Bool {
        category == .other || conditions.contains { $0.category == category }
    }

    /// The category of a number.
    public func category(of number: DecimalNumber) -> PluralCategory {
        for condition in conditions {
            var holds = true
            for index in condition.relations {
                let relation = relations[index]
                holds = holds && isTrue(relation, number)
                if relation.endsAlternative {
                    if holds { return condition.category }
                    holds = true
                }
            }
        }
        return .other
    }

    private func isTrue(_ relation: Relation, _ number: DecimalNumber) -> Bool {
        var value: UInt64
        switch relation.operand {
        case .absolute:
            // No fraction lies in a range of integers (UTS 35: "n = 1..2" does not hold for 1.5).
            if number.fractionDigits > 0 { return relation.isNegated }
            value = number.integer
        case .integer: value = number.integer
        case .visibleDigits: value = UInt64(number.fractionDigits)
        case .fraction: value = number.fraction
        case .exponent: value = 0
        }
        if relation.modulus > 0 { value %= relation.modulus }
        for index in relation.ranges where ranges[index].contains(value) { return !relation.isNegated }
        return relation.isNegated
    }
}

// MARK: - Parsing

extension PluralRules {
    private struct SyntaxError: Error {
        var why: String
    }

    private mutating func parse(_ condition: String) throws(SyntaxError) {
        var scanner = Scanner(text: Array(condition.utf8))
        if scanner.isAtEnd { return }
        while true {
            relations.append(try relation(&scanner))
            if scanner.isAtEnd { break }
            if scanner.take("or") {
                relations[relations.count - 1].endsAlternative = true
            } else if !scanner.take("and") {
                throw SyntaxError(why: "expected \"and\" or \"or\" at byte \(scanner.at)")
            }
        }
        relations[relations.count - 1].endsAlternative = true
    }

    private mutating func relation(_ scanner: inout Scanner) throws(SyntaxError) -> Relation {
        var relation = Relation(operand: try operand(&scanner))
        if scanner.take("%") {
            relation.modulus = try scanner.number()
            guard relation.modulus > 0 else { throw SyntaxError(why: "a remainder by 0") }
        }
        relation.isNegated = scanner.take("!=")
        guard relation.isNegated || scanner.take("=") else {
            throw SyntaxError(why: "expected \"=\" or \"!=\" at byte \(scanner.at)")
        }
        let start = ranges.count
        repeat {
            let low = try scanner.number()
            let high = scanner.take("..") ? try scanner.number() : low
            guard low <= high else { throw SyntaxError(why: "the range \(low)..\(high) is empty") }
            ranges.append(low...high)
        } while scanner.take(",")
        relation.ranges = start..<ranges.count
        return relation
    }

    private func operand(_ scanner: inout Scanner) throws(SyntaxError) -> Operand {
        if scanner.take("n") { return .absolute }
        if scanner.take("i") { return .integer }
        // Numbers carry no zeros at the end of the fraction, so v is w, and f is t.
        if scanner.take("v") || scanner.take("w") { return .visibleDigits }
        if scanner.take("f") || scanner.take("t") { return .fraction }
        if scanner.take("c") || scanner.take("e") { return .exponent }
        throw SyntaxError(why: "expected one of n i v w f t c e at byte \(scanner.at)")
    }

    private struct Scanner {
        let text: [UInt8]
        var at = 0

        /// Whether nothing but samples (`@integer …`) is left.
        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return at == text.count || text[at] == UInt8(ascii: "@")
            }
        }

        mutating func skipSpace() {
            while at < text.count, text[at] == UInt8(ascii: " ") { at += 1 }
        }

        mutating func take(_ token: StaticString) -> Bool {
            skipSpace()
            let end = at + token.utf8CodeUnitCount
            let matches = token.withUTF8Buffer { end <= text.count && text[at..<end].elementsEqual($0) }
            if matches { at = end }
            return matches
        }

        mutating func number() throws(SyntaxError) -> UInt64 {
            skipSpace()
            let start = at
            var value: UInt64 = 0
            while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) {
                guard let next = value.appending(digit: text[at]) else { throw SyntaxError(why: "too large a number") }
                value = next
                at += 1
            }
            guard at > start else { throw SyntaxError(why: "expected a number at byte \(at)") }
            return value
        }
    }
}

extension UInt64 {
    /// The number with one more decimal digit (ASCII) at its end; nil where it does not fit.
    func appending(digit: UInt8) -> UInt64? {
        let (tens, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
        return overflow || carry ? nil : sum
    }
}
