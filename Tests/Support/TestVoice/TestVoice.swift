import SoundboxCore

/// A voice pack of few words: an amount is read as the digits of its minor units.
public enum TestVoice {
    /// What it says, by key.
    public static let phrases = [
        "payment": "paid, {amount}", "payment.alipay": "alipay, {amount}", "payment.generic": "received",
        "refund": "refund, {amount}", "order.book": "book", "order.takeaway": "takeaway", "order.report": "report",
        "late": "late {time}, {payment}", "repeat.at": "at {time}, {payment}", "summary": "{count} paid, {amount}",
        "summary.offline": "{count} paid, {amount}", "total.today": "{count} paid, {amount}", "total.none": "none",
        "prompt.started": "started", "prompt.online": "online", "prompt.offline": "offline",
        "prompt.provisioning": "code {digits}", "prompt.provisioned": "done", "prompt.volume": "volume {volume}",
        "prompt.volume-max": "loudest", "prompt.volume-min": "quietest", "prompt.muted": "muted",
        "prompt.unmuted": "unmuted", "prompt.test": "test", "prompt.nothing-yet": "nothing",
        "prompt.reset-hold": "hold",
        "prompt.reset-done": "done", "prompt.update": "update", "prompt.error": "error",
    ]

    /// The words of an amount.
    public static let digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

    /// `grammar.rbnf`
    public static var grammar: String {
        let rules = digits.enumerated().map { "\($0): \($1);" }.joined(separator: "\n")
        return "%n:\n\(rules)\n10: <%n< >%n>;\n10000000000000: =#,##0=;\n"
    }

    /// `pack.json`, with more words than the phrases need where a test wants other clip numbers.
    public static func manifest(id: String = "test", extra: [String] = []) -> JSON {
        let words = Set(
            phrases.values.flatMap { phrase in
                phrase.split { $0 == " " || $0 == "," }.map(String.init).filter { !$0.hasPrefix("{") }
            } + digits + extra
        ).sorted()
        return .object([
            .init("format", 1), .init("id", .string(id)), .init("version", "1.0.0"), .init("language", "en"),
            .init("voice", "Test"), .init("licence", "Apache-2.0"), .init("rate", 48000),
            .init("pauses", .object([.init("clip", 0), .init(",", 100), .init("end", 0)])), .init("style", "plain"),
            .init(
                "styles",
                .object([
                    .init(
                        "plain",
                        .object([
                            .init("unit", "minor"), .init("rules", .object([.init("CNY", "%n"), .init("USD", "%n")])),
                        ]))
                ])),
            .init(
                "numbers",
                .object(["count", "digits", "volume", "time"].map { .init($0, "%n") })),
            .init("phrases", .object(phrases.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
            .init("clips", .object(words.map { .init($0, .string("\($0).wav")) })),
        ])
    }

    /// A planner for it; without recordings.
    public static func planner(id: String = "test", extra: [String] = []) throws -> Planner {
        let pack = try VoicePack(
            manifest: Array(manifest(id: id, extra: extra).text.utf8), grammar: Array(grammar.utf8))
        return Planner(pack: pack)
    }
}
