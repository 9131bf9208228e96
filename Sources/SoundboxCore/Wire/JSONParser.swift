/// Why a text is not the JSON that was expected, and the byte at which that showed.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Reason: String, Sendable {
        /// The bytes are not UTF-8.
        case notUTF8 = "not-utf8"
        /// The bytes are not one JSON value.
        case notJSON = "not-json"
        /// Arrays and objects inside each other beyond the limit.
        case tooDeep = "too-deep"
        /// An object has a key twice.
        case duplicateKey = "duplicate-key"
    }

    /// What is wrong.
    public var reason: Reason
    /// Offset into the text, in bytes.
    public var offset: Int
    /// The key that was said twice.
    public var key: String?
}

extension JSON {
    /// Reads one JSON value that fills the whole of `bytes`.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and objects may be inside each other.
    ///   - duplicateKeys: keep a key that an object says twice, for a reader that refuses only those it knows.
    public init(parsing bytes: [UInt8], depth: Int = 16, duplicateKeys: Bool = false) throws(JSONError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(reason: .notUTF8, offset: 0)
        }
        var parser = JSONParser(bytes: bytes, duplicateKeys: duplicateKeys)
        self = try parser.document(depth: depth)
    }

    /// Reads one JSON value from text; every key once.
    public init(parsing text: String, depth: Int = 16) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), depth: depth)
    }
}

/// A recursive-descent reader over valid UTF-8; its recursion is bounded by the depth limit.
private struct JSONParser {
    let bytes: [UInt8]
    let duplicateKeys: Bool
    var at = 0

    mutating func document(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        let value = try value(depth: depth)
        skipSpace()
        guard at == bytes.count else { throw failure() }
        return value
    }

    private func failure(_ reason: JSONError.Reason = .notJSON, key: String? = nil) -> JSONError {
        JSONError(reason: reason, offset: at, key: key)
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard let next, next == byte.asciiValue else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let end = at + word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { end <= bytes.count && bytes[at..<end].elementsEqual($0) }
        guard matches else { throw failure() }
        at = end
        return value
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSON] {
        guard depth > 0 else { throw failure(.tooDeep) }
        at += 1
        var values: [JSON] = []
        skipSpace()
        if take("]") { return values }
        while true {
            skipSpace()
            values.append(try value(depth: depth - 1))
            skipSpace()
            if take("]") { return values }
            guard take(",") else { throw failure() }
        }
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSON.Member] {
        guard depth > 0 else { throw failure(.tooDeep) }
        at += 1
        var members: [JSON.Member] = []
        var keys: Set<String> = []
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure() }
            let key = try string()
            guard keys.insert(key).inserted || duplicateKeys else { throw failure(.duplicateKey, key: key) }
            skipSpace()
            guard take(":") else { throw failure() }
            skipSpace()
            members.append(JSON.Member(key, try value(depth: depth - 1)))
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw failure() }
        }
    }

    private mutating func digits() throws(JSONError) {
        let start = at
        while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
        guard at > start else { throw failure() }
    }

    private mutating func number() throws(JSONError) -> String {
        let start = at
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func string() throws(JSONError) -> String {
        at += 1
        var text: [UInt8] = []
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw failure()
            default: text.append(byte)
            }
        }
        throw failure()
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard let byte = next else { throw failure() }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try escapedScalar()).utf8)
        default: throw failure()
        }
    }

    /// `\uXXXX`, or the two halves of a surrogate pair; half a pair alone is no character.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hex4()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else { throw failure() }
        let second = try hex4()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure() }
        return scalar
    }

    private mutating func hex4() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw failure() }
            value = value << 4 + UInt32(digit)
            at += 1
        }
        return value
    }
}
