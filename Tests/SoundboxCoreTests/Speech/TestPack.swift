import Foundation

@testable import SoundboxCore

/// Small voice packs for tests: the grammars of the product, and one clip for each word.
enum TestPack {
    /// A file of the package.
    static func file(_ path: String) throws -> [UInt8] {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
    }

    /// The members of a whole pack.json around these parts.
    static func manifest(
        id: String, plurals: JSON = .object([]), pauses: JSON, styles: JSON, phrases: [String: String],
        clips: [String]
    ) -> JSON {
        var all = Dictionary(uniqueKeysWithValues: Phrase.required.map { ($0, "一") })
        all.merge(phrases) { $1 }
        let members = all.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
        let files = clips.enumerated().map { JSON.Member($1, .string("\($0).flac")) }
        return .object([
            .init("format", 1), .init("id", .string(id)), .init("version", "1.0.0"), .init("language", .string(id)),
            .init("voice", "nobody"), .init("licence", "CC0-1.0"), .init("rate", 24_000), .init("plurals", plurals),
            .init("pauses", pauses), .init("style", "decimal"), .init("styles", styles),
            .init(
                "numbers",
                .object([
                    .init("count", "%count"), .init("digits", "%digits"), .init("volume", "%cardinal"),
                    .init("time", "%time"),
                ])),
            .init("phrases", .object(members)), .init("clips", .object(files)),
        ])
    }

    static func mandarinManifest(phrases: [String: String] = [:], clips: [String] = []) -> JSON {
        let money: JSON = .object([.init("unit", "major"), .init("rules", .object([.init("CNY", "%yuan")]))])
        let jiaofen: JSON = .object([.init("unit", "minor"), .init("rules", .object([.init("CNY", "%jiaofen")]))])
        let words = "零一二两三四五六七八九十百千万亿点元角分整支付宝到账笔共收款补播音量码".map { String($0) }
        return manifest(
            id: "zh-CN", pauses: .object([.init("clip", 30), .init("，", 120), .init("。", 200), .init("end", 300)]),
            styles: .object([.init("decimal", money), .init("jiaofen", jiaofen)]), phrases: phrases,
            clips: words + clips)
    }

    static func mandarin(phrases: [String: String] = [:], clips: [String] = []) throws -> VoicePack {
        try VoicePack(
            manifest: Array(mandarinManifest(phrases: phrases, clips: clips).text.utf8),
            grammar: file("Resources/Clips/zh-CN/grammar.rbnf"))
    }

    static func english() throws -> VoicePack {
        let sets = [
            ("CNY", "%yuan-fen"), ("USD", "%dollars-cents"), ("EUR", "%euros-cents"), ("GBP", "%pounds-pence"),
            ("INR", "%rupees-paise"), ("HKD", "%hongkong-dollars-cents"), ("JPY", "%yen"), ("KWD", "%dinars-fils"),
        ]
        let rules = JSON.object(sets.map { .init($0.0, .string($0.1)) })
        let words = """
            zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
            seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million \
            billion trillion yuan fen dollar dollars cent cents euro euros pound pounds penny pence rupee rupees paisa \
            paise Hong Kong yen dinar dinars fils and payment payments o'clock oh AM PM 一
            """
        let manifest = manifest(
            id: "en", plurals: .object([.init("one", "i = 1 and v = 0")]),
            pauses: .object([.init("clip", 30), .init(",", 120), .init("end", 300)]),
            styles: .object([.init("decimal", .object([.init("unit", "minor"), .init("rules", rules)]))]),
            phrases: ["prompt.provisioning": "{digits}", "late": "{time}", "total.today": "{count}"],
            clips: words.split(separator: " ").map { String($0) })
        return try VoicePack(
            manifest: Array(manifest.text.utf8), grammar: file("Resources/Clips/en/grammar.rbnf"))
    }
}
