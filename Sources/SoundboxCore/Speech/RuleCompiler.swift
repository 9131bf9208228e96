/// Compiles the rules of one rule set into the flat form of ``NumberGrammar``.
struct RuleCompiler {
    private enum Kind {
        case normal, negative, improper, proper
    }

    /// What stands in front of a rule's colon.
    private struct Descriptor {
        var kind = Kind.normal
        var base: UInt64?
        var radix: UInt64 = 10
        /// Each `>` behind the base takes the divisor down by one power of the radix.
        var strikes = 0
    }

    private(set) var grammar: NumberGrammar
    private var ruleSet = 0
    /// The rules with a base, in order. The special ones are kept apart, since the search for a rule needs these to
    /// be neighbours.
    private var normal: [NumberGrammar.Rule] = []
    private var special: [(kind: Kind, rule: NumberGrammar.Rule)] = []
    private var decimalSeparator: UInt8?

    /// - Parameter grammar: has the names of all rule sets, and nothing else yet.
    init(grammar: NumberGrammar) {
        self.grammar = grammar
    }

    /// Adds the next rule set to the grammar; they come in the order of their names.
    mutating func add(_ source: GrammarSource.RuleSet) throws(GrammarError) {
        ruleSet = grammar.ruleSets.count
        normal = []
        special = []
        decimalSeparator = nil
        for statement in source.rules { try add(statement) }
        guard !normal.isEmpty else {
            throw GrammarError(line: source.line, text: source.name, why: "the rule set has no rule with a base")
        }
        let start = Int32(grammar.rules.count)
        grammar.rules += normal
        var compiled = NumberGrammar.RuleSet(rules: start..<Int32(grammar.rules.count))
        for (kind, rule) in special {
            let index = Int32(grammar.rules.count)
            grammar.rules.append(rule)
            switch kind {
            case .negative: compiled.negative = index
            case .improper: compiled.improper = index
            case .proper: compiled.proper = index
            case .normal: break
            }
        }
        grammar.ruleSets.append(compiled)
    }

    /// Adds one rule, or the two that a rule with brackets stands for.
    private mutating func add(_ statement: RuleStatement) throws(GrammarError) {
        guard !statement.text.isEmpty else { throw statement.error("an empty rule") }
        var descriptor = Descriptor()
        var body = statement.text[...]
        if let colon = body.firstIndex(of: UInt8(ascii: ":")) {
            descriptor = try self.descriptor(body[..<colon].trimmed, statement)
            body = body[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        }
        // ICU's way to begin a rule with a space: the apostrophe goes, the space stays.
        if body.first == UInt8(ascii: "'") { body = body.dropFirst() }
        let (whole, short) = try withoutBrackets(body, statement)
        switch descriptor.kind {
        case .normal: try addNormal(descriptor, whole, short, statement)
        case .improper:
            try addSpecial(.improper, whole, statement)
            if let short { try addSpecial(.proper, short, statement) }
        case .negative, .proper:
            guard short == nil else { throw statement.error("this rule takes no brackets") }
            try addSpecial(descriptor.kind, whole, statement)
        }
    }

    private mutating func addNormal(
        _ descriptor: Descriptor, _ whole: [UInt8], _ short: [UInt8]?, _ statement: RuleStatement
    ) throws(GrammarError) {
        var base = descriptor.base ?? 0
        if let last = normal.last?.base {
            guard last < UInt64.max else { throw statement.error("no base is left for this rule") }
            base = descriptor.base ?? last + 1
            guard base > last else { throw statement.error("the base is not above that of the rule before, \(last)") }
        }
        let divisor = try divisor(descriptor, base: base, statement)
        // The rules that `>>>` may jump to: the one before this, whether brackets make one rule of it or two.
        let predecessor = normal.isEmpty ? nil : Int32(grammar.rules.count + normal.count - 1)
        // ICU makes two rules of a bracket only at a multiple of the divisor and where the base is written out;
        // elsewhere the bracket's text always stays.
        if let short, descriptor.base != nil, base > 0, base % divisor == 0 {
            guard base < UInt64.max else { throw statement.error("no base is left for this rule") }
            normal.append(try rule(.normal, short, base: base, divisor: divisor, predecessor, statement))
            base += 1
        }
        normal.append(try rule(.normal, whole, base: base, divisor: divisor, predecessor, statement))
    }

    private mutating func addSpecial(
        _ kind: Kind, _ text: [UInt8], _ statement: RuleStatement
    ) throws(GrammarError) {
        guard !special.contains(where: { $0.kind == kind }) else {
            throw statement.error("the rule set has this special rule twice")
        }
        special.append((kind, try rule(kind, text, base: 0, divisor: 1, nil, statement)))
    }

    private mutating func rule(
        _ kind: Kind, _ text: [UInt8], base: UInt64, divisor: UInt64, _ predecessor: Int32?, _ statement: RuleStatement
    ) throws(GrammarError) -> NumberGrammar.Rule {
        let start = Int32(grammar.operations.count)
        try compile(text, kind, predecessor, statement)
        let operations = start..<Int32(grammar.operations.count)
        let takesRemainder = operations.contains { index in
            if case .substitution(.remainder, _) = grammar.operations[Int(index)] { true } else { false }
        }
        return NumberGrammar.Rule(
            base: base, divisor: divisor, operations: operations,
            rollsBack: takesRemainder && base % divisor != 0)
    }
}

// MARK: - Descriptors and brackets

extension RuleCompiler {
    private mutating func descriptor(
        _ text: ArraySlice<UInt8>, _ statement: RuleStatement
    ) throws(GrammarError) -> Descriptor {
        switch text.string {
        case "-x": return Descriptor(kind: .negative)
        case "x.x", "x,x", "0.x", "0,x":
            let separator = text[text.startIndex + 1]
            guard separator == decimalSeparator ?? separator else {
                throw statement.error("both . and , as the decimal separator: keep the one that is spoken")
            }
            decimalSeparator = separator
            return Descriptor(kind: text.first == UInt8(ascii: "x") ? .improper : .proper)
        case "x.0", "x,0", "NaN", "Inf": throw statement.error("rules for x.0, NaN and Inf are not supported")
        default: break
        }
        var descriptor = Descriptor()
        var rest = text
        while rest.last == UInt8(ascii: ">") {
            descriptor.strikes += 1
            rest = rest.dropLast()
        }
        let parts = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        descriptor.base = try number(parts[0], statement)
        if parts.count > 1 { descriptor.radix = try number(parts[1], statement) }
        guard parts.count <= 2 else { throw statement.error("two radixes") }
        guard descriptor.radix >= 2 else { throw statement.error("a radix below 2") }
        return descriptor
    }

    /// A base or a radix: digits, between which RBNF allows points, commas and spaces.
    private func number(_ text: ArraySlice<UInt8>, _ statement: RuleStatement) throws(GrammarError) -> UInt64 {
        var value: UInt64 = 0
        var hasDigits = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let next = value.appending(digit: byte) else { throw statement.error("too large a number") }
                value = next
                hasDigits = true
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: " "): break
            default: throw statement.error("neither a number nor one of -x x.x 0.x stands before the colon")
            }
        }
        guard hasDigits else { throw statement.error("no number before the colon") }
        return value
    }

    /// The largest power of the radix that is not above the base, less one power for each `>`.
    private func divisor(
        _ descriptor: Descriptor, base: UInt64, _ statement: RuleStatement
    ) throws(GrammarError) -> UInt64 {
        var divisor: UInt64 = 1
        while divisor <= base / descriptor.radix { divisor *= descriptor.radix }
        for _ in 0..<descriptor.strikes {
            guard divisor > 1 else { throw statement.error("more > behind the base than its divisor has powers") }
            divisor /= descriptor.radix
        }
        return divisor
    }

    /// The text with what is in brackets, and, where there are brackets, the text without.
    private func withoutBrackets(
        _ text: ArraySlice<UInt8>, _ statement: RuleStatement
    ) throws(GrammarError) -> (whole: [UInt8], short: [UInt8]?) {
        let opening = text.indices.filter { text[$0] == UInt8(ascii: "[") }
        let closing = text.indices.filter { text[$0] == UInt8(ascii: "]") }
        guard opening.count <= 1, opening.count == closing.count else {
            throw statement.error("more than one pair of brackets, or half a pair")
        }
        guard let open = opening.first, let close = closing.first else { return (Array(text), nil) }
        guard open < close else { throw statement.error("] before [") }
        let optional = text[(open + 1)..<close]
        guard !optional.contains(UInt8(ascii: "|")) else {
            throw statement.error("alternatives in brackets are not supported")
        }
        let (head, tail) = (text[..<open], text[(close + 1)...])
        return (Array(head + optional + tail), Array(head + tail))
    }
}

// MARK: - Texts and substitutions

extension RuleCompiler {
    private mutating func compile(
        _ text: [UInt8], _ kind: Kind, _ predecessor: Int32?, _ statement: RuleStatement
    ) throws(GrammarError) {
        var rest = text[...]
        var substitutions = 0
        var hasPlural = false
        while let first = rest.first {
            switch first {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
                let token = try token(&rest, statement)
                substitutions += 1
                guard substitutions <= 2 else { throw statement.error("more than two substitutions") }
                grammar.operations.append(try substitution(first, token, kind, predecessor, statement))
            case UInt8(ascii: "$") where rest.dropFirst().first == UInt8(ascii: "("):
                guard !hasPlural, kind == .normal else {
                    throw statement.error("a plural in a special rule, or a second one")
                }
                hasPlural = true
                grammar.operations.append(.plural(try plural(&rest, statement)))
            default:
                let isText: (UInt8) -> Bool = {
                    $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=")
                        && $0 != UInt8(ascii: "$")
                }
                let run = rest.prefix(1) + rest.dropFirst().prefix(while: isText)
                grammar.operations.append(.text(intern(run)))
                rest = rest.dropFirst(run.count)
            }
        }
    }

    /// Takes one substitution off the text and gives back what is between its two marks.
    private func token(
        _ rest: inout ArraySlice<UInt8>, _ statement: RuleStatement
    ) throws(GrammarError) -> ArraySlice<UInt8> {
        let mark = rest[rest.startIndex]
        if rest.starts(with: ">>>".utf8) {
            defer { rest = rest.dropFirst(3) }
            return rest.dropFirst().prefix(1)
        }
        let inner = rest.dropFirst().prefix { $0 != mark }
        guard inner.endIndex < rest.endIndex else { throw statement.error("half a substitution") }
        rest = rest[(inner.endIndex + 1)...]
        // In ICU a doubled end, `<%set<<`, belongs to fraction rule sets.
        guard mark != UInt8(ascii: "<") || rest.first != mark else {
            throw statement.error("fraction rule sets are not supported")
        }
        return inner
    }

    private func substitution(
        _ mark: UInt8, _ token: ArraySlice<UInt8>, _ kind: Kind, _ predecessor: Int32?, _ statement: RuleStatement
    ) throws(GrammarError) -> NumberGrammar.Operation {
        let jumps = token.first == UInt8(ascii: ">")
        let target: NumberGrammar.Target
        switch token.string {
        case "", ">": target = .ruleSet(Int32(ruleSet))
        case "#,##0": target = .digits(grouped: true)
        case "0": target = .digits(grouped: false)
        case let name where name.hasPrefix("%"):
            guard let index = grammar.indices[name] else {
                throw statement.error("there is no rule set \(name)")
            }
            target = .ruleSet(Int32(index))
        default: throw statement.error("\"\(token.string)\" is neither a rule set nor one of the patterns 0 and #,##0")
        }
        // ICU rounds in these places; nothing here is ever rounded.
        if case .digits = target, kind != .normal || mark == UInt8(ascii: "<") {
            throw statement.error("digits of a quotient or in a special rule are not supported")
        }
        switch (mark, kind) {
        case (UInt8(ascii: "="), _):
            guard !token.isEmpty else { throw statement.error("== has no rule set") }
            return .substitution(.same, target)
        case (UInt8(ascii: "<"), .normal): return .substitution(.quotient, target)
        case (UInt8(ascii: "<"), .negative): throw statement.error("< in the rule for negative numbers")
        case (UInt8(ascii: "<"), _): return .substitution(.integerPart, target)
        case (_, .normal):
            guard jumps, let predecessor else { return .substitution(.remainder, target) }
            return .substitution(.remainder, .rule(predecessor))
        case (_, .negative): return .substitution(.magnitude, target)
        case (_, _):
            guard case .ruleSet(Int32(ruleSet)) = target else {
                throw statement.error("fraction rule sets are not supported: read the digits with >> or >>>")
            }
            return .fractionDigits(ruleSet: Int32(ruleSet), spaced: !jumps)
        }
    }

    /// Reads `$(cardinal,one{…}other{…})$` and gives back the first of its six texts.
    private mutating func plural(
        _ rest: inout ArraySlice<UInt8>, _ statement: RuleStatement
    ) throws(GrammarError) -> Int32 {
        let kind = "$(cardinal,"
        guard rest.starts(with: kind.utf8) else { throw statement.error("only $(cardinal,…)$ is supported") }
        rest = rest.dropFirst(kind.utf8.count)
        var texts: [PluralCategory: NumberGrammar.Text] = [:]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            if rest.starts(with: ")$".utf8) { break }
            let name = rest.prefix { $0 != UInt8(ascii: "{") }
            rest = rest.dropFirst(name.count + 1)
            let text = rest.prefix { $0 != UInt8(ascii: "}") }
            guard text.endIndex < rest.endIndex else { throw statement.error("no )$ at the end of the plural") }
            rest = rest.dropFirst(text.count + 1)
            guard let category = PluralCategory(rawValue: name.trimmed.string) else {
                throw statement.error("\"\(name.string)\" is not a plural category")
            }
            guard grammar.plurals.defines(category) else {
                throw statement.error("the plural rules do not define \"\(category.rawValue)\"")
            }
            guard text.allSatisfy({ !"#{<>=".utf8.contains($0) }) else {
                throw statement.error("# { < > = inside a plural")
            }
            guard texts.updateValue(intern(text), forKey: category) == nil else {
                throw statement.error("the plural has \"\(category.rawValue)\" twice")
            }
        }
        rest = rest.dropFirst(2)
        guard let other = texts[.other] else { throw statement.error("the plural has no \"other\"") }
        defer { grammar.pluralTexts += PluralCategory.allCases.map { texts[$0] ?? other } }
        return Int32(grammar.pluralTexts.count)
    }

    private mutating func intern(_ text: ArraySlice<UInt8>) -> NumberGrammar.Text {
        defer { grammar.pool += text }
        return NumberGrammar.Text(start: Int32(grammar.pool.count), count: Int32(text.count))
    }
}
