extension NumberGrammar {
    /// The longest grammar that is read, in bytes.
    public static let maximumSize = 1 << 20

    /// Reads a grammar from UTF-8 text.
    ///
    /// - Parameter plurals: the categories that `$(cardinal,…)$` may use.
    public init(parsing bytes: [UInt8], plurals: PluralRules = PluralRules()) throws(GrammarError) {
        self.init(plurals: plurals)
        guard bytes.count <= NumberGrammar.maximumSize else {
            throw GrammarError(line: 1, text: "", why: "longer than \(NumberGrammar.maximumSize) bytes")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw GrammarError(line: 1, text: "", why: "not UTF-8")
        }
        var source = GrammarSource()
        try source.read(bytes)
        names = source.ruleSets.map(\.name)
        for (index, name) in names.enumerated() { indices[name] = index }
        var compiler = RuleCompiler(grammar: self)
        for ruleSet in source.ruleSets { try compiler.add(ruleSet) }
        self = compiler.grammar
    }
}

/// A grammar's text, split into rule sets and rules.
struct GrammarSource {
    struct RuleSet {
        var name: String
        var line: Int
        var rules: [RuleStatement] = []
    }

    private(set) var ruleSets: [RuleSet] = []
    private var names: Set<String> = []

    mutating func read(_ bytes: [UInt8]) throws(GrammarError) {
        var line = 0
        for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            var rest = text.trimmed
            if rest.first == UInt8(ascii: "#") { continue }
            while let first = rest.first {
                if first == UInt8(ascii: "%") {
                    rest = try header(rest, line: line)
                    continue
                }
                guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
                    throw GrammarError(line: line, text: rest.string, why: "no ; at the end of the rule")
                }
                guard !ruleSets.isEmpty else {
                    throw GrammarError(line: line, text: rest.string, why: "a rule before the first rule set")
                }
                let rule = RuleStatement(text: rest[..<end].withoutArrows, line: line)
                ruleSets[ruleSets.count - 1].rules.append(rule)
                rest = rest[(end + 1)...].trimmed
            }
        }
        guard !ruleSets.isEmpty else { throw GrammarError(line: 1, text: "", why: "no rule set") }
    }

    /// Reads `%name:` and gives back what follows on the line.
    private mutating func header(_ text: ArraySlice<UInt8>, line: Int) throws(GrammarError) -> ArraySlice<UInt8> {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            throw GrammarError(line: line, text: text.string, why: "no : behind the name of the rule set")
        }
        let name = text[..<colon].string
        guard name.isRuleSetName else {
            throw GrammarError(line: line, text: name, why: "not the name of a rule set")
        }
        guard name != "%%lenient-parse" else {
            throw GrammarError(line: line, text: name, why: "rules for reading text back are not supported")
        }
        guard names.insert(name).inserted else {
            throw GrammarError(line: line, text: name, why: "the rule set is there twice")
        }
        ruleSets.append(RuleSet(name: name, line: line))
        return text[(colon + 1)...].trimmed
    }
}

/// One rule as it was written, without its semicolon.
struct RuleStatement {
    var text: [UInt8]
    var line: Int

    func error(_ why: String) -> GrammarError {
        GrammarError(line: line, text: text[...].string, why: why)
    }
}

extension String {
    /// Whether this is `%` or `%%` and then letters, digits, hyphens and underscores of ASCII.
    var isRuleSetName: Bool {
        let name = utf8.drop { $0 == UInt8(ascii: "%") }
        guard (1...2).contains(utf8.count - name.count), !name.isEmpty else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without ASCII white space at either end.
    var trimmed: ArraySlice<UInt8> {
        let space: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = firstIndex(where: { !space($0) }), let last = lastIndex(where: { !space($0) }) else {
            return []
        }
        return self[first...last]
    }

    /// The bytes with `<` and `>` for the arrows ← and →, which CLDR's XML has instead.
    var withoutArrows: [UInt8] {
        var bytes: [UInt8] = []
        var rest = self
        while let first = rest.first {
            if rest.starts(with: "→".utf8) {
                bytes.append(UInt8(ascii: ">"))
            } else if rest.starts(with: "←".utf8) {
                bytes.append(UInt8(ascii: "<"))
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst("→".utf8.count)
        }
        return bytes
    }

    /// The bytes as text.
    var string: String { String(decoding: self, as: UTF8.self) }
}
