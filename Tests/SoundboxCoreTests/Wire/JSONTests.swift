import TestSupport
import Testing

@testable import SoundboxCore

@Suite struct JSONTests {
    static let values: [(String, JSON)] = [
        ("null", .null), ("true", true), ("false", false), ("0", .number("0")), ("-0", .number("-0")),
        ("12.50", .number("12.50")), ("1e3", .number("1e3")), ("-1.5E-7", .number("-1.5E-7")),
        ("1E+2", .number("1E+2")),
        ("123456789012345678901234567890", .number("123456789012345678901234567890")), ("\"\"", ""), ("\"é支\"", "é支"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\uD83D\uDE00""#, "Aé😀"),
        (#""\u0000""#, "\0"),
        ("[]", .array([])), ("[1, [2] ,{}]", .array([1, .array([2]), .object([])])), (" \t\r\n1 \n", 1),
        ("{}", .object([])),
        (#"{"a":1 , "b" : {"a":null}}"#, .object([.init("a", 1), .init("b", .object([.init("a", .null)]))])),
    ]

    @Test(arguments: values.indices) func reads(_ index: Int) throws {
        #expect(try JSON(parsing: Self.values[index].0) == Self.values[index].1)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "01", "-", "-01", "+1", ".5", "1.", "1.e3", "1e", "1e+", "0x1", "NaN", "Infinity", "１",
        "\"", "\"\n\"", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\uD800""#, #""\uD800\u0041""#, #""\uDC00""#,
        #""\uD800\uD800""#, "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}", "{1:1}", "{\"a\" 1}", "1 2", "{}{}", "'a'", "/**/1", "\u{FEFF}1", "\u{A0}1",
    ]) func refuses(_ text: String) {
        let error = thrown(JSONError.self) { _ = try JSON(parsing: text) }
        #expect(error?.reason == .notJSON)
    }

    @Test func saysWhereItStopped() {
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: "[1,2,x]") }?.offset == 5)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE4, 0xB8, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
        ] as [[UInt8]]) func refusesWhatIsNotUTF8(_ bytes: [UInt8])
    {
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: bytes) }?.reason == .notUTF8)
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a"), (#"{"b":{"a":1,"\u0061":2}}"#, "a"), (#"{"":1,"":1}"#, ""),
    ]) func refusesAKeyTwice(_ text: String, _ key: String) {
        let error = thrown(JSONError.self) { _ = try JSON(parsing: text) }
        #expect(error?.reason == .duplicateKey)
        #expect(error?.key == key)
    }

    @Test func boundsTheDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSON(parsing: nested(16))
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: nested(17)) }?.reason == .tooDeep)
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: nested(1_500)) }?.reason == .tooDeep)
        let objects = String(repeating: "{\"a\":", count: 1_500)
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: objects) }?.reason == .tooDeep)
        #expect(thrown(JSONError.self) { _ = try JSON(parsing: "[]", depth: 0) }?.reason == .tooDeep)
    }

    @Test func givesItsParts() throws {
        let json = try JSON(parsing: #"{"text":"a","whole":12,"decimal":1.0,"huge":99999999999999999999,"list":[1]}"#)
        #expect(json["text"]?.string == "a")
        #expect(json["whole"]?.integer == 12)
        #expect(json["decimal"]?.integer == nil)
        #expect(json["huge"]?.integer == nil)
        #expect(json["whole"]?.string == nil)
        #expect(json["text"]?.integer == nil)
        #expect(json["none"] == nil)
        #expect(json["list"]?["text"] == nil)
        #expect(json.members?.map(\.key) == ["text", "whole", "decimal", "huge", "list"])
    }

    @Test func writesCompactText() {
        let json: JSON = .object([
            .init("a", .array([.null, true, false, -1])), .init("q\"\\", "\n\r\t\u{1}\u{7F}é支"),
            .init("n", JSON(UInt64.max)),
        ])
        #expect(
            json.text
                == #"{"a":[null,true,false,-1],"q\"\\":"\n\r\t\u0001\u007fé支","n":18446744073709551615}"#)
    }

    /// Reading what was written gives the same value, and mutated text never traps.
    @Test func roundTripsAndNeverTraps() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        func value(_ depth: Int) -> JSON {
            switch Int.random(in: depth > 0 ? 0...6 : 2...6, using: &random) {
            case 0: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth - 1) })
            case 1:
                return .object(
                    (0..<Int.random(in: 0...3, using: &random)).map { .init("k\($0)\"\\", value(depth - 1)) })
            case 2: return .number(String(Int.random(in: Int.min...Int.max, using: &random)))
            case 3: return .bool(Bool.random(using: &random))
            case 4: return .null
            default:
                let scalars = (0..<4).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x1_FFFF, using: &random))
                }
                return .string(String(String.UnicodeScalarView(scalars)))
            }
        }
        for _ in 0..<500 {
            let json = value(4)
            var bytes = Array(json.text.utf8)
            #expect(try JSON(parsing: bytes) == json, "seed \(seed)")
            for _ in 0..<10 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                _ = try? JSON(parsing: bytes)
            }
        }
    }
}
