import Testing

@testable import SoundboxCore

@Suite struct VoicePackTests {
    /// `value` at a path of keys, in place of what is there or behind the last member; nil takes it away.
    private static func set(_ json: JSON, _ path: ArraySlice<String>, _ value: JSON?) -> JSON {
        guard let key = path.first, var members = json.members else { return value ?? .null }
        let place = members.firstIndex { $0.key == key }
        let old = place.map { members[$0].value } ?? .object([])
        let new = path.count == 1 ? value : set(old, path.dropFirst(), value)
        if let place { members.remove(at: place) }
        if let new { members.insert(JSON.Member(key, new), at: place ?? members.count) }
        return .object(members)
    }

    @Test func showsWhatItIs() throws {
        let pack = try TestPack.mandarin(clips: ["元$"])
        #expect(pack.id == "zh-CN")
        #expect(pack.version == "1.0.0")
        #expect(pack.language == "zh-CN")
        #expect(pack.voice == "nobody")
        #expect(pack.licence == "CC0-1.0")
        #expect(pack.rate == 24_000)
        #expect(pack.styleNames == ["decimal", "jiaofen"])
        #expect(pack.defaultStyle == "decimal")
        #expect(pack.phraseKeys.contains("prompt.volume-max"))
        #expect(pack.clips.first == VoicePack.Clip(words: "零", file: "0.flac"))
        #expect(pack.clips.last?.words == "元$")
    }

    static let refusals: [(path: String, value: JSON?, place: String, why: String)] = [
        ("format", 2, "format", "format 1"), ("format", nil, "format", "whole number"), ("id", nil, "id", "text"),
        ("id", "", "id", "text"), ("id", "../x", "id", "plain name"), ("version", 1, "version", "text"),
        ("language", nil, "language", "text"), ("voice", nil, "voice", "text"), ("licence", nil, "licence", "text"),
        ("rate", 7_999, "rate", "8000...192000"), ("rate", 192_001, "rate", "8000...192000"),
        ("rate", .number("24000.0"), "rate", "whole number"), ("pauses", nil, "pauses", "object"),
        ("pauses/clip", nil, "pauses.clip", "missing"), ("pauses/end", nil, "pauses.end", "missing"),
        ("pauses/clip", .number("-1"), "pauses.clip", "0...5000"), ("pauses/，", 5_001, "pauses.，", "0...5000"),
        ("pauses/a", 1, "pauses.a", "punctuation"), ("pauses/，。", 1, "pauses.，。", "punctuation"),
        ("plurals/some", "n = 1", "plurals.some", "category"), ("plurals/one", "n", "plurals.one", "expected"),
        ("plurals/one", 1, "plurals.one", "text"), ("styles", nil, "styles", "object"),
        ("style", "loud", "style", "no style"), ("styles/decimal/unit", "fen", "styles.decimal.unit", "major"),
        ("styles/decimal/rules", .object([]), "styles.decimal.rules", "empty"),
        ("styles/decimal/rules/XXX", "%yuan", "styles.decimal.rules.XXX", "currency"),
        ("styles/decimal/rules/CNY", "%money", "styles.decimal.rules.CNY", "%money"),
        ("styles/decimal/rules/CNY", "%%inner", "styles.decimal.rules.CNY", "public"),
        ("styles/decimal/rules/CNY", "%count", "styles.decimal.rules.CNY", "x.x"),
        ("styles/decimal/rules/CNY", 1, "styles.decimal.rules.CNY", "rule set"),
        ("numbers", nil, "numbers.count", "rule set"), ("numbers/time", "%tide", "numbers.time", "%tide"),
        ("phrases", nil, "phrases", "object"), ("phrases/late", nil, "phrases.late", "missing"),
        ("phrases/prompt.volume-max", nil, "phrases.prompt.volume-max", "missing"),
        ("phrases/payment", 1, "phrases.payment", "text"), ("phrases/payment", "{sum}", "phrases.payment", "{sum}"),
        ("phrases/payment", "{amount", "phrases.payment", "brace"),
        ("phrases/payment", "a}", "phrases.payment", "brace"),
        ("phrases/payment", "{time}", "phrases.payment", "{time}"),
        ("phrases/late", "{amount}", "phrases.late", "{amount}"),
        ("phrases/payment.generic", "{amount}", "phrases.payment.generic", "{amount}"),
        ("phrases/payment", "收！{amount}", "phrases.payment", "！"),
        ("phrases/total.none", "猫", "phrases.total.none", "猫"),
        ("phrases/total.none", "，", "phrases.total.none", "nothing to say"),
        ("phrases/mine", "猫", "phrases.mine", "猫"), ("clips", nil, "clips", "object"),
        ("clips/猫", 1, "clips.猫", "text"), ("clips/猫", "a/b.flac", "clips.猫", "plain name"),
        ("clips/猫", "..", "clips.猫", "plain name"), ("clips/猫", "", "clips.猫", "plain name"),
        ("clips/猫", "a\\b", "clips.猫", "plain name"), ("clips/猫", "a\u{0}", "clips.猫", "plain name"),
        ("clips/猫，狗", "a.flac", "clips.猫，狗", "mark"), ("clips/^$", "a.flac", "clips.^$", "without words"),
        ("clips/收 款", "a.flac", "clips.收 款", "same words"),
    ]

    @Test(arguments: refusals.indices) func refusesTheManifest(_ index: Int) throws {
        let (path, value, place, why) = Self.refusals[index]
        let keys = path.split(separator: "/", maxSplits: path.hasPrefix("clips") ? 1 : 9).map { String($0) }
        let manifest = Self.set(TestPack.mandarinManifest(clips: ["收款"]), keys[...], value)
        let error = thrown(PackError.self) {
            _ = try VoicePack(
                manifest: Array(manifest.text.utf8), grammar: TestPack.file("Resources/Clips/zh-CN/grammar.rbnf"))
        }
        #expect(error?.file == .manifest)
        #expect(error?.place == place)
        #expect(error?.why.contains(why) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("", "line 1", "not-json"), ("[]", "line 1", "object"),
        ("{\n\"id\":1,\n\"id\":2}", "line 3", "duplicate-key \"id\""),
        ("{\n\"id\" 1}", "line 2", "not-json"),
    ]) func refusesWhatIsNoManifest(_ text: String, _ place: String, _ why: String) {
        let error = thrown(PackError.self) { _ = try VoicePack(manifest: Array(text.utf8), grammar: []) }
        #expect(error?.place == place)
        #expect(error?.why.contains(why) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("%n: 0: z", "line 1", "no ;"), ("%n: 0: z;\n1: <%;", "line 2", "substitution"),
        ("%n: 0: a！b;", "\"a！b\"", "！"),
    ]) func refusesTheGrammar(_ extra: String, _ place: String, _ why: String) throws {
        let manifest = Array(TestPack.mandarinManifest().text.utf8)
        let grammar = try Array((extra + "\n").utf8) + TestPack.file("Resources/Clips/zh-CN/grammar.rbnf")
        let error = thrown(PackError.self) { _ = try VoicePack(manifest: manifest, grammar: grammar) }
        #expect(error?.file == .grammar)
        #expect(error?.place == place)
        #expect(error?.why.contains(why) == true, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("grammar.rbnf: \(place): ") == true)
    }
}
