/// What a phrase leaves open.
enum Placeholder: String, CaseIterable, Sendable {
    case amount, time, count, digits, volume, payment
}

/// A phrase of a voice pack: text with placeholders in braces.
struct Phrase: Sendable {
    enum Piece: Sendable {
        case text([UInt8])
        case placeholder(Placeholder)
    }

    private(set) var pieces: [Piece] = []

    /// The phrases every pack has.
    static let required =
        [
            "payment", "payment.generic", "refund", "order.book", "order.takeaway", "order.report", "late", "repeat.at",
            "summary", "summary.offline", "total.today", "total.none",
        ]
        + [
            "started", "online", "offline", "provisioning", "provisioned", "volume", "volume-max", "volume-min",
            "muted", "unmuted", "test", "nothing-yet", "reset-hold", "reset-done", "update", "error",
        ].map { "prompt." + $0 }

    /// The placeholders for which there is a value when the phrase with this key is said.
    static func placeholders(of key: String) -> Set<Placeholder> {
        switch key {
        case "payment.generic": []
        case "late", "repeat.at": [.time, .payment]
        case "summary", "summary.offline", "total.today": [.count, .amount]
        case "prompt.provisioning": [.digits]
        case "prompt.volume": [.volume]
        case _ where family(of: key) != nil: [.amount]
        default: []
        }
    }

    /// The phrase that says a payment or a refund of any channel, for the key of one channel; nil for other keys.
    static func family(of key: String) -> String? {
        ["payment", "refund"].first { key == $0 || key.hasPrefix($0 + ".") }
    }

    /// A text that is no phrase: an unknown placeholder, or half a pair of braces.
    struct ParseError: Error {
        var why: String
    }

    init(parsing text: String) throws(ParseError) {
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            if !literal.isEmpty { pieces.append(.text(Array(String(literal).utf8))) }
            rest = rest[literal.endIndex...]
            guard let brace = rest.first else { break }
            let name = rest.dropFirst().prefix { $0 != "}" && $0 != "{" }
            guard brace == "{", name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
                throw ParseError(why: "half a pair of braces")
            }
            guard let placeholder = Placeholder(rawValue: String(name)) else {
                throw ParseError(why: "unknown placeholder {\(name)}")
            }
            pieces.append(.placeholder(placeholder))
            rest = rest[name.endIndex...].dropFirst()
        }
    }

    /// The phrase as it was written.
    var text: String {
        pieces.map { piece in
            switch piece {
            case .text(let bytes): String(decoding: bytes, as: UTF8.self)
            case .placeholder(let placeholder): "{\(placeholder.rawValue)}"
            }
        }.joined()
    }

    var placeholders: Set<Placeholder> {
        Set(
            pieces.compactMap { piece in
                if case .placeholder(let placeholder) = piece { placeholder } else { nil }
            })
    }
}
