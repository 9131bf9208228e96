import Testing

@testable import SoundboxCore

@Suite struct PluralRulesTests {
    /// The rules of CLDR for the languages' cardinals, samples included where they show the syntax.
    private static let english = [("one", "i = 1 and v = 0 @integer 1"), ("other", " @integer 0, 2~16")]
    private static let russian = [
        ("one", "v = 0 and i % 10 = 1 and i % 100 != 11"),
        ("few", "v = 0 and i % 10 = 2..4 and i % 100 != 12..14"),
        ("many", "v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14"),
    ]
    private static let lithuanian = [
        ("one", "n % 10 = 1 and n % 100 != 11..19"), ("few", "n % 10 = 2..9 and n % 100 != 11..19"),
        ("many", "f != 0"),
    ]
    private static let latvian = [
        ("zero", "n % 10 = 0 or n % 100 = 11..19 or v = 2 and f % 100 = 11..19"),
        ("one", "n % 10 = 1 and n % 100 != 11 or v = 2 and f % 10 = 1 and f % 100 != 11 or v != 2 and f % 10 = 1"),
    ]
    private static let list = [("two", "n = 2,4..5,9 and e = 0")]

    static let cases: [([(String, String)], String, PluralCategory)] = [
        (english, "1", .one), (english, "0", .other), (english, "1.5", .other), (english, "2", .other),
        (russian, "1", .one), (russian, "21", .one), (russian, "11", .many), (russian, "3", .few),
        (russian, "13", .many), (russian, "100", .many), (russian, "1.5", .other),
        (lithuanian, "21", .one), (lithuanian, "12", .other), (lithuanian, "9", .few), (lithuanian, "1.5", .many),
        (latvian, "0", .zero), (latvian, "13", .zero), (latvian, "21", .one), (latvian, "0.1", .one),
        (latvian, "0.12", .zero), (latvian, "2", .other),
        (list, "2", .two), (list, "3", .other), (list, "4", .two), (list, "9", .two), (list, "2.5", .other),
    ]

    @Test(arguments: cases.indices) func findsTheCategory(_ index: Int) throws {
        let (rules, number, category) = Self.cases[index]
        let plurals = try PluralRules(rules.map { (category: $0.0, condition: $0.1) })
        #expect(try plurals.category(of: NumberGrammarTests.number(number)) == category)
    }

    @Test func refusesACategoryTwice() {
        let error = thrown(PluralRules.ParseError.self) {
            _ = try PluralRules([(category: "other", condition: ""), (category: "other", condition: "")])
        }
        #expect(error == PluralRules.ParseError(category: "other", why: "defined twice"))
    }

    @Test(arguments: [
        ("some", "n = 1"), ("one", ""), ("one", "n"), ("one", "n ="), ("one", "n = 1 and"), ("one", "n = 1 n = 2"),
        ("one", "x = 1"), ("one", "n % 0 = 1"), ("one", "n = 5..1"), ("one", "n = 99999999999999999999"),
        ("one", "n = 1,"), ("one", "n < 1"), ("other", "n = 1"),
    ]) func refuses(_ category: String, _ condition: String) {
        let error = thrown(PluralRules.ParseError.self) {
            _ = try PluralRules([(category: category, condition: condition)])
        }
        #expect(error?.category == category)
    }
}
