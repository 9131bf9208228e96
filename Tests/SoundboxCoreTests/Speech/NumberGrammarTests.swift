import TestSupport
import Testing

@testable import SoundboxCore

/// What ICU 72 (`RuleBasedNumberFormat` on the same rules) says, and what is refused.
@Suite struct NumberGrammarTests {
    private static let plurals: [(category: String, condition: String)] = [
        ("one", "i = 1 and v = 0"), ("few", "i = 2..4 and v = 0"), ("many", "v != 0"),
    ]

    static func grammar(_ rules: String) throws -> NumberGrammar {
        try NumberGrammar(parsing: Array(rules.utf8), plurals: PluralRules(plurals))
    }

    /// `-1.05` as a number.
    static func number(_ text: String) throws -> DecimalNumber {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".")
        let units = try #require(UInt64(parts.joined()))
        let decimals = parts.count > 1 ? parts[1].count : 0
        return try #require(DecimalNumber(units: units, decimals: decimals, isNegative: isNegative))
    }

    static let conformance: [(rules: String, readings: [(String, String)])] = [
        (
            """
            %n:
            0: z; one; two; three; four; five; six; seven; eight; nine;
            10: ten; 11: eleven; 12: twelve;
            20: <<ty[->>];
            100: << hundred[ >>];
            1000: << thousand[ >>];
            """,
            [
                ("200", "two hundred"), ("201", "two hundred one"), ("1000", "one thousand"), ("20", "twoty"),
                ("1100", "one thousand one hundred"), ("21", "twoty-one"), ("100000", "one hundred thousand"),
                ("3020", "three thousand twoty"),
            ]
        ),
        (
            """
            %n:
            0: null; eins; zwei; drei; vier; fünf; sechs; sieben; acht; neun; zehn; elf; zwölf;
            13: >>zehn;
            20: zwanzig; >%%ein>und-zwanzig;
            30: dreißig; >%%ein>und-dreißig;
            100: <%%ein<hundert[>>];
            1000: <%%ein<tausend[>>];
            -x: minus >>;
            x,x: << Komma >>;
            %%ein:
            0: null; ein; =%n=;
            """,
            [
                ("13", "dreizehn"), ("21", "einund-zwanzig"), ("32", "zweiund-dreißig"), ("101", "einhunderteins"),
                ("21021", "einund-zwanzigtausendeinund-zwanzig"), ("-5", "minus fünf"),
                ("1.05", "eins Komma null fünf"), ("-0.5", "minus null Komma fünf"),
            ]
        ),
        (
            """
            %n:
            0: zéro; un; deux; trois; quatre; cinq; six; sept; huit; neuf;
            dix; onze; douze; treize; quatorze; quinze; seize;
            17: dix-→→;
            20: vingt[-→%%et→];
            60/20: soixante[->%%et>];
            80/20: quatre-vingt>%%s>;
            100: cent[ >>];
            200: << cent>%%s>;
            1000: mille[ >>];
            2000: ←← mille[ >>];
            %%et:
            1: et-un;
            2: =%n=;
            11: et-onze;
            12: =%n=;
            %%s:
            0: s;
            1: '-=%n=;
            """,
            [
                ("17", "dix-sept"), ("21", "vingt-et-un"), ("60", "soixante"), ("61", "soixante-et-un"),
                ("70", "soixante-dix"), ("71", "soixante-et-onze"), ("80", "quatre-vingts"),
                ("81", "quatre-vingt-un"), ("99", "quatre-vingt-dix-neuf"), ("200", "deux cents"),
                ("2000", "deux mille"), ("80080", "quatre-vingts mille quatre-vingts"),
            ]
        ),
        (
            "%n: 0: =#,##0= seconds; 60/60: <%%m<, >%%s>; 3600/60: <%%h<[, >>];\n"
                + "%%m: 0: =0= min;\n%%h: 0: =#,##0= h;\n%%s: 0: =0= s;",
            [
                ("59", "59 seconds"), ("60", "1 min, 0 s"), ("3599", "59 min, 59 s"), ("3600", "1 h"),
                ("3661", "1 h, 1 min, 1 s"), ("7200", "2 h"), ("4000000", "1,111 h, 6 min, 40 s"),
            ]
        ),
        (
            "%n: 0: =0=; 1000>: <%%c<h[>>];\n%%c: 0: =0=;",
            [
                ("999", "999"), ("1000", "10h"), ("1001", "10h1"), ("1100", "11h"), ("1234", "12h34"), ("2000", "20h"),
            ]
        ),
        (
            "%n: 0: zero; 1: one; 2: two; 10: << ten >>; 100: << hundred >>>;",
            [
                ("100", "one hundred zero ten zero"), ("101", "one hundred zero ten one"),
                ("202", "two hundred zero ten two"), ("120", "one hundred two ten zero"),
            ]
        ),
        ("%n: 0: a=0=; 5: f>>>;", [("7", "fa0")]),
        (
            "%n: 0: z; o; t; h; f; v; s; -x: minus >>; x.x: << point >>; 0.x: point >>>;",
            [
                ("1.25", "o point t v"), ("0.25", "point tv"), ("0.05", "point zv"), ("1.050", "o point z v"),
                ("-1.5", "minus o point v"), ("-0.5", "minus point v"), ("-6", "minus s"), ("6.00", "s"),
            ]
        ),
        (
            "%n: 0: z; o; t; h; f; v; x.x: [<< and ]>>>;",
            [("1.25", "o and tv"), ("0.25", "tv"), ("5.02", "v and zt")]
        ),
        ("%n: 0: ' zero; 1: d'un; 2: ''two;", [("0", " zero"), ("1", "d'un"), ("2", "'two")]),
        (
            "%n: 0: =0= $(cardinal,one{day}few{dny}many{days.}other{days})$;\n"
                + "100: <%n< x $(cardinal,one{week}other{weeks})$[ >>];",
            [
                ("0", "0 days"), ("1", "1 day"), ("2", "2 dny"), ("5", "5 days"), ("100", "1 day x week"),
                ("202", "2 dny x weeks 2 dny"),
            ]
        ),
        (
            "# a comment\n%n:\n0: a; b; 5: c; d;\n   # another\n10: <<x[>>]; <<y[>>]z;",
            [("4", "b"), ("6", "d"), ("9", "d"), ("10", "bx"), ("11", "bxb"), ("15", "bycz"), ("65", "dycz")]
        ),
        (
            "%n: 0: z; 10: =#,##0=;",
            [("999", "999"), ("1000", "1,000"), ("1234567", "1,234,567"), ("18446744073709551615", biggest)]
        ),
    ]

    private static let biggest = "18,446,744,073,709,551,615"

    @Test(arguments: conformance.indices) func readsAsICUDoes(_ index: Int) throws {
        let (rules, readings) = Self.conformance[index]
        let grammar = try Self.grammar(rules)
        let ruleSet = try #require(grammar.ruleSet(named: "%n"))
        for (number, reading) in readings {
            #expect(try grammar.text(of: Self.number(number), by: ruleSet) == reading, "\(number)")
        }
    }

    @Test(arguments: [
        ("", 1, "no rule set"), ("0: z;", 1, "before the first rule set"), ("%n: 0: z", 1, "no ;"),
        ("%n:\n0: z;\n1: o\n2: t;", 3, "no ;"), ("%n", 1, "no :"), ("%: 0: z;", 1, "not the name"),
        ("%a b: 0: z;", 1, "not the name"), ("%n:\n%n: 0: z;", 2, "twice"),
        ("%n:\n%m: 0: z;", 1, "no rule with a base"),
        ("%%lenient-parse: 0: z;", 1, "not supported"), ("%n: 0: z;;", 1, "empty rule"),
        ("%n: 1: a; 0: b;", 1, "not above"), ("%n: 5: a; 5: b;", 1, "not above"),
        ("%n: 5: a[b]; 6: c;", 1, "not above"),
        ("%n: 18446744073709551616: a;", 1, "too large"), ("%n: 18446744073709551615: a; b;", 1, "no base is left"),
        ("%n: 18446744073709551615/18446744073709551615: a[b];", 1, "no base is left"),
        ("%n: 10/18446744073709551616: a;", 1, "too large"), ("%n: 10/0: a;", 1, "radix"), ("%n: 10/1: a;", 1, "radix"),
        ("%n: 10/5/5: a;", 1, "two radixes"), ("%n: 5>: a;", 1, "more >"), ("%n: abc: a;", 1, "neither a number"),
        ("%n: : a;", 1, "no number"), ("%n: 0: a; x.0: b;", 1, "not supported"),
        ("%n: 0: a; Inf: b;", 1, "not supported"),
        ("%n: 0: a; NaN: b;", 1, "not supported"), ("%n: 0: a; -x: b; -x: c;", 1, "twice"),
        ("%n: 0: a; x.x: b; x,x: c;", 1, "decimal separator"), ("%n: 0: a; -x: [b]c;", 1, "takes no brackets"),
        ("%n: 0: a[b;", 1, "half a pair"), ("%n: 0: a]b[;", 1, "] before ["),
        ("%n: 1: [a][b];", 1, "more than one pair"),
        ("%n: 10: a[b|c];", 1, "alternatives"), ("%n: 0: =%m=;", 1, "no rule set %m"), ("%n: 0: ==;", 1, "=="),
        ("%n: 0: <<a>>b=%n=;", 1, "more than two"), ("%n: 0: a<b;", 1, "half a substitution"),
        ("%n: 0: a; -x: <<;", 1, "negative"), ("%n: 0: a; x.x: >%m>; %m: 0: z;", 1, "fraction rule sets"),
        ("%n: 0: <%n<<;", 1, "fraction rule sets"), ("%n: 0: =0.0=;", 1, "neither a rule set"),
        ("%n: 0: a; x.x: =#,##0=;", 1, "digits of a quotient"), ("%n: 0: <0<;", 1, "digits of a quotient"),
        ("%n: 0: $(ordinal,other{a})$;", 1, "cardinal"), ("%n: 0: $(cardinal,one{a})$;", 1, "no \"other\""),
        ("%n: 0: $(cardinal,two{a}other{b})$;", 1, "do not define"),
        ("%n: 0: $(cardinal,some{a}other{b})$;", 1, "not a plural"),
        ("%n: 0: $(cardinal,other{a}other{b})$;", 1, "twice"), ("%n: 0: $(cardinal,other{a;", 1, "no )$"),
        ("%n: 0: $(cardinal,other{#})$;", 1, "inside a plural"), ("%n: 0: a; x.x: $(cardinal,other{a})$;", 1, "plural"),
    ]) func refuses(_ rules: String, _ line: Int, _ why: String) throws {
        let error = thrown(GrammarError.self) { _ = try Self.grammar(rules) }
        #expect(error?.line == line)
        #expect(error?.why.contains(why) == true, "\(String(describing: error))")
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: GrammarError.self) { try NumberGrammar(parsing: [0x25, 0x6E, 0x3A, 0x30, 0x3A, 0xFF, 0x3B]) }
    }

    @Test(arguments: [
        "%n: 0: =%n=;", "%n: 0: =%m=;\n%m: 0: =%n=;", "%n: 0: >>; 10: <<a>>;", "%n: 0: <<;", "%n: 0: a; 5: <<>>;",
        "%n: 0: =%%a==%%a=;\n%%a: 0: =%%b==%%b=;\n%%b: 0: =%n==%n=;",
    ]) func endsWhereTheRulesDoNot(_ rules: String) throws {
        let grammar = try Self.grammar(rules)
        let ruleSet = try #require(grammar.ruleSet(named: "%n"))
        #expect(throws: NumberGrammar.ReadError.endless) { try grammar.text(of: DecimalNumber(5), by: ruleSet) }
    }

    @Test func boundsTheLengthOfAReading() throws {
        let long = String(repeating: "a", count: 5_000)
        let grammar = try Self.grammar("%n: 0: \(long); 10: <<\(long);")
        let ruleSet = try #require(grammar.ruleSet(named: "%n"))
        #expect(try grammar.text(of: DecimalNumber(5), by: ruleSet) == long)
        #expect(throws: NumberGrammar.ReadError.endless) { try grammar.text(of: DecimalNumber(10), by: ruleSet) }
    }

    @Test func saysThatThereIsNoRule() throws {
        let grammar = try Self.grammar("%n: 1: o; 100: << h[ >>];\n%%p: 0: z;")
        let ruleSet = try #require(grammar.ruleSet(named: "%n"))
        let missing = NumberGrammar.ReadError.noRule("%n")
        for number in ["0", "-1", "1.5", "0.5"] {
            #expect(throws: missing) { try grammar.text(of: Self.number(number), by: ruleSet) }
        }
        #expect(grammar.ruleSet(named: "%%p") == nil)
        #expect(grammar.ruleSet(named: "%m") == nil)
    }

    /// Whatever a grammar's text is, it is refused or read, and so is every number; nothing traps.
    @Test func mutatedGrammarsNeverTrap() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<<", ">>", ">>>", "=%n=", "=#,##0=", "[", "]", ";", ":", "%", "%%", "$(cardinal,", "one{", "other{", "}",
            ")$",
            "x.x: ", "-x: ", "0.x: ", "/", ">", "9", "0", "18446744073709551615", "'", "\n", "#", "|", "é", "→",
        ].map { Array($0.utf8) }
        let numbers = [
            DecimalNumber(0), DecimalNumber(UInt64.max), DecimalNumber(7, isNegative: true),
            try #require(DecimalNumber(units: UInt64.max, decimals: 19)),
        ]
        var accepted = 0
        for _ in 0..<5_000 {
            var bytes = Array(Self.conformance[Int.random(in: Self.conformance.indices, using: &random)].rules.utf8)
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let start = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...2, using: &random))
                bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
            }
            guard let grammar = try? NumberGrammar(parsing: bytes, plurals: PluralRules(Self.plurals)),
                let ruleSet = grammar.ruleSet(named: "%n")
            else { continue }
            accepted += 1
            for number in numbers {
                let text = try? grammar.text(of: number, by: ruleSet)
                #expect((text?.utf8.count ?? 0) < 16_384, "seed \(seed)")
            }
        }
        #expect(accepted > 300, "seed \(seed): the mutations leave nothing to read")
    }
}
