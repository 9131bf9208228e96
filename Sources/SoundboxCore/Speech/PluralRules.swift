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

// MARK: - Ranges

extension PluralRules {
    /// The whole numbers of a range in parts, each with every category that a number in it can have.
    ///
    /// Exact for a thousand numbers and fewer. Of more, a part may list categories that none of its numbers has where
    /// a rule looks at the last digits (`i % 10 = 1`); it never leaves one out.
    func categories(
        of range: ClosedRange<UInt64>
    ) -> [(numbers: ClosedRange<UInt64>, categories: [PluralCategory])] {
        var parts: [(numbers: ClosedRange<UInt64>, categories: [PluralCategory])] = []
        func append(_ numbers: ClosedRange<UInt64>, _ categories: [PluralCategory]) {
            if let last = parts.last, last.categories == categories {
                parts[parts.count - 1].numbers = last.numbers.lowerBound...numbers.upperBound
            } else {
                parts.append((numbers, categories))
            }
        }
        if range.upperBound - range.lowerBound < 1_000 {
            for number in range { append(number...number, [category(of: DecimalNumber(number))]) }
            return parts
        }
        // Between two bounds of the ranges in the rules, what looks at the whole number is constant.
        var starts: Set<UInt64> = [range.lowerBound]
        for relation in relations where relation.modulus == 0 {
            for bound in ranges[relation.ranges] {
                starts.insert(bound.lowerBound)
                if bound.upperBound < .max { starts.insert(bound.upperBound + 1) }
            }
        }
        let sorted = starts.filter(range.contains).sorted()
        for (index, start) in sorted.enumerated() {
            let numbers = start...(index + 1 < sorted.count ? sorted[index + 1] - 1 : range.upperBound)
            append(numbers, possibleCategories(of: numbers))
        }
        return parts
    }

    private func possibleCategories(of numbers: ClosedRange<UInt64>) -> [PluralCategory] {
        var categories: [PluralCategory] = []
        for condition in conditions {
            // Nil stands for "of some numbers".
            var holds: Bool? = true
            var isCertain = false
            var isPossible = false
            for index in condition.relations {
                let relation = relations[index]
                let isTrue = isTrue(relation, numbers)
                holds = isTrue == false || holds == false ? false : isTrue == nil ? nil : holds
                if relation.endsAlternative {
                    isCertain = isCertain || holds == true
                    isPossible = isPossible || holds != false
                    holds = true
                }
            }
            if isPossible { categories.append(condition.category) }
            if isCertain { return categories }
        }
        return categories + [.other]
    }

    /// Whether a relation holds of every whole number of a range, or of none; nil where that is not clear.
    private func isTrue(_ relation: Relation, _ numbers: ClosedRange<UInt64>) -> Bool? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        switch relation.operand {
        case .absolute, .integer: break
        case .visibleDigits, .fraction, .exponent: (low, high) = (0, 0)
        }
        if relation.modulus > 0 {
            guard low / relation.modulus == high / relation.modulus else { return nil }
            (low, high) = (low % relation.modulus, high % relation.modulus)
        }
        if ranges[relation.ranges].contains(where: { $0.contains(low) && $0.contains(high) }) {
            return !relation.isNegated
        }
        return ranges[relation.ranges].contains { $0.overlaps(low...high) } ? nil : relation.isNegated
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
