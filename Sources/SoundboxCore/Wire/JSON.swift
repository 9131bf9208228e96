/// A JSON value (RFC 8259), read strictly and without loss: a number keeps its own text, so that an amount never
/// passes through binary floating point, and an object that says one key twice is refused unless its reader asks
/// to judge that itself.
public enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// The number exactly as it was written.
    case number(String)
    case string(String)
    case array([JSON])
    /// The members in the order they were written.
    case object([Member])

    /// One key and its value.
    public struct Member: Equatable, Sendable {
        /// The key, its escapes resolved.
        public var key: String
        /// Its value.
        public var value: JSON

        /// A key and its value.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value of `key` where this is an object that has it.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text where this is a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The members where this is an object.
    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The value where this is a number written as an integer that fits.
    public var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }
}

// MARK: - Writing

extension JSON {
    /// The value as compact JSON text, UTF-8.
    public var text: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .number(let text): out += text
        case .string(let text): JSON.write(string: text, to: &out)
        case .array(let values):
            out += "["
            for (index, value) in values.enumerated() {
                if index > 0 { out += "," }
                value.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += "," }
                JSON.write(string: member.key, to: &out)
                out += ":"
                member.value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func write(string: String, to out: inout String) {
        out += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..<" ", "\u{7F}":
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    public init(_ value: some BinaryInteger) { self = .number(String(value)) }
}
