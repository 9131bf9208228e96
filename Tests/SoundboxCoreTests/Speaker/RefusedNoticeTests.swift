import TestVoice
import Testing

@testable import SoundboxCore

/// Everything on the pay topic that is no notice: each is refused with its own reason, and the next good one is spoken.
struct RefusedNoticeTests {
    static let refused: [(String, [UInt8], String, id: String?)] = [
        ("not UTF-8", [0x7B, 0xFF, 0xFE, 0x7D], "not-utf8", nil),
        ("empty", [], "not-json", nil),
        ("not JSON", Array("hello".utf8), "not-json", nil),
        ("JSON and more", Array(#"{"id":"1"} x"#.utf8), "not-json", nil),
        ("an array", Array("[1]".utf8), "not-an-object", nil),
        (
            "1,500 deep", Array((String(repeating: "[", count: 1500) + String(repeating: "]", count: 1500)).utf8),
            "too-deep", nil
        ),
        ("4,097 bytes", padded(to: 4097), "too-large", nil),
        ("1 MiB", padded(to: 1 << 20), "too-large", nil),
        ("no id", json(#""amount":"1""#), "id-missing", nil),
        ("an empty id", json(#""id":"","amount":"1""#), "id-empty", nil),
        ("a number as id", json(#""id":5,"amount":"1""#), "id-not-text", nil),
        (
            "an id of 129 bytes", json(#""id":"\#(String(repeating: "é", count: 64))x","amount":"1""#), "id-too-long",
            nil
        ),
        ("an id twice", json(#""id":"a","id":"b","amount":"1""#), "duplicate-key", nil),
        ("an amount twice", json(#""id":"a","amount":"1","amount":"2""#), "duplicate-key", "a"),
        ("no amount", json(#""id":"a","currency":"CNY""#), "amount-missing", "a"),
        ("both amounts", json(#""id":"a","amount":"1","amountMinor":100"#), "amount-twice", "a"),
        ("an exponent", json(#""id":"a","amount":1e3"#), "amount-exponent", "a"),
        ("an exponent in text", json(#""id":"a","amount":"1E3""#), "amount-exponent", "a"),
        ("three decimals", json(#""id":"a","amount":"100.655""#), "amount-too-precise", "a"),
        ("decimals of a yen", json(#""id":"a","amount":"100.5","currency":"JPY""#), "amount-too-precise", "a"),
        ("a sign", json(#""id":"a","amount":"-1""#), "amount-signed", "a"),
        ("a negative number", json(#""id":"a","amount":-1"#), "amount-signed", "a"),
        ("a plus", json(#""id":"a","amount":"+1""#), "amount-signed", "a"),
        ("a space", json(#""id":"a","amount":" 5""#), "amount-malformed", "a"),
        ("full-width digits", json(#""id":"a","amount":"１００""#), "amount-malformed", "a"),
        ("NaN in text", json(#""id":"a","amount":"NaN""#), "amount-malformed", "a"),
        ("NaN", json(#""id":"a","amount":NaN"#), "not-json", nil),
        ("an empty amount", json(#""id":"a","amount":"""#), "amount-malformed", "a"),
        ("only a point", json(#""id":"a","amount":".""#), "amount-malformed", "a"),
        ("nothing before the point", json(#""id":"a","amount":".5""#), "amount-malformed", "a"),
        ("nothing behind the point", json(#""id":"a","amount":"5.""#), "amount-malformed", "a"),
        ("a comma", json(#""id":"a","amount":"1,000.00""#), "amount-malformed", "a"),
        ("16 digits", json(#""id":"a","amount":"1234567890123456""#), "amount-too-long", "a"),
        ("14 digits that need 16", json(#""id":"a","amount":"12345678901234""#), "amount-too-long", "a"),
        ("a boolean amount", json(#""id":"a","amount":true"#), "amount-wrong-type", "a"),
        ("an object as amount", json(#""id":"a","amount":{}"#), "amount-wrong-type", "a"),
        ("minor units in text", json(#""id":"a","amountMinor":"100""#), "amount-wrong-type", "a"),
        ("a fraction of a minor unit", json(#""id":"a","amountMinor":1.5"#), "amount-malformed", "a"),
        ("a negative minor unit", json(#""id":"a","amountMinor":-1"#), "amount-signed", "a"),
        ("an unknown currency", json(#""id":"a","amount":"1","currency":"XYZ""#), "currency-unknown", "a"),
        ("a currency in lower case", json(#""id":"a","amount":"1","currency":"cny""#), "currency-unknown", "a"),
        ("a number as currency", json(#""id":"a","amount":"1","currency":156"#), "currency-not-text", "a"),
        ("an unknown kind", json(#""id":"a","kind":"gift""#), "kind-unknown", "a"),
        ("a number as channel", json(#""id":"a","amount":"1","channel":1"#), "channel-not-text", "a"),
        (
            "a long channel", json(#""id":"a","amount":"1","channel":"\#(String(repeating: "x", count: 65))""#),
            "channel-too-long", "a"
        ),
        (
            "a time without offset", json(#""id":"a","amount":"1","paidAt":"2026-11-30T10:11:12""#),
            "paid-at-malformed", "a"
        ),
        (
            "the 30th of February", json(#""id":"a","amount":"1","paidAt":"2026-02-30T10:11:12Z""#),
            "paid-at-malformed", "a"
        ),
        ("an order of nothing", json(#""id":"a","kind":"order""#), "order-missing", "a"),
        ("an unknown order", json(#""id":"a","kind":"order","order":"rocket""#), "phrase-unknown", "a"),
        ("a text without clips", json(#""id":"a","kind":"text","text":"hello world""#), "clip-missing", "a"),
        ("a text of marks", json(#""id":"a","kind":"text","text":",""#), "nothing-to-say", "a"),
        ("an unknown prompt", json(#""id":"a","kind":"prompt","prompt":"sing""#), "phrase-unknown", "a"),
        ("a prompt that needs a value", json(#""id":"a","kind":"prompt","prompt":"volume""#), "value-missing", "a"),
        ("half a surrogate pair", json(#""id":"\ud800","amount":"1""#), "not-json", nil),
        ("a raw newline in a string", json("\"id\":\"a\nb\",\"amount\":\"1\""), "not-json", nil),
    ]

    private static func json(_ members: String) -> [UInt8] { Array("{\(members)}".utf8) }

    /// A good notice but for its size.
    private static func padded(to size: Int) -> [UInt8] {
        let frame = #"{"id":"a","amount":"1","pad":""}"#
        return Array(frame.replacingEnd(with: String(repeating: "x", count: size - frame.utf8.count)).utf8)
    }

    @Test("Bad input is never silent and never fatal", arguments: refused.indices)
    func refusal(index: Int) throws {
        let (name, payload, reason, id) = Self.refused[index]
        let box = TestBox(planner: try TestVoice.planner())
        box.send(.notice(payload: payload, retained: false, receivedAt: box.time))
        box.send(.batch(1))
        box.endTurn()
        #expect(!box.effects.contains(.acknowledge(1)), "\(name)")
        box.commit()
        #expect(box.states == ["\(id ?? "null") rejected \(reason)"], "\(name)")
        #expect(box.receipts.last?["sha256"] == (id == nil ? .string("digest of \(payload.count)") : nil), "\(name)")
        #expect(box.effects.contains(.acknowledge(1)), "\(name)")
        #expect(box.statuses.last?["lastError"] == .string(reason), "\(name)")
        box.notice(TestBox.payment("good"))
        #expect(box.said == ["paid, one two three"], "\(name)")
    }

    @Test("What was too large to keep is refused without an id and without a digest")
    func oversized() throws {
        let box = TestBox(planner: try TestVoice.planner())
        box.send(.oversizedNotice(2_000_000))
        box.send(.batch(1))
        box.endTurn()
        box.commit()
        #expect(box.states == ["null rejected too-large"])
        #expect(box.receipts.last?["sha256"] == nil)
        #expect(box.effects.contains(.acknowledge(1)))
    }

    @Test("A notice of exactly 4,096 bytes is taken, and unknown keys are ignored, twice or not")
    func taken() throws {
        let box = TestBox(planner: try TestVoice.planner())
        box.send(.notice(payload: Self.padded(to: 4096), retained: false, receivedAt: box.time))
        box.notice(#"{"id":"b","amount":"2","note":1,"note":2}"#)
        box.commit()
        #expect(box.states == ["a accepted", "b accepted"])
    }
}

extension String {
    fileprivate func replacingEnd(with padding: String) -> String { String(dropLast(2)) + padding + "\"}" }
}
