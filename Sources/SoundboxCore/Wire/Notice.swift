/// One message on the pay topic: something that the merchant has to hear.
public struct Notice: Equatable, Sendable {
    /// What there is to be said.
    public enum Content: Equatable, Sendable {
        case payment(channel: String?, amount: Amount)
        case refund(channel: String?, amount: Amount)
        /// An order of this kind: `book`, `takeaway`, `report`.
        case order(String)
        case text(String)
        /// A prompt by its key without `prompt.`.
        case prompt(String)
    }

    /// 1–128 bytes, the sender's own.
    public var id: String
    /// What it is about.
    public var content: Content
    /// When the customer paid. A notice without it is never late.
    public var paidAt: Timestamp?

    /// What it is about, in one word.
    public var kind: NoticeRecord.Kind {
        switch content {
        case .payment: return .payment
        case .refund: return .refund
        case .order: return .order
        case .text: return .text
        case .prompt: return .prompt
        }
    }

    /// The money, where the notice is about money.
    public var amount: Amount? {
        switch content {
        case .payment(_, let amount), .refund(_, let amount): return amount
        case .order, .text, .prompt: return nil
        }
    }

    /// The channel, where the notice names one.
    public var channel: String? {
        switch content {
        case .payment(let channel, _), .refund(let channel, _): return channel
        case .order, .text, .prompt: return nil
        }
    }

    /// Payloads longer than this many bytes are refused.
    public static let maximumSize = 4096
}

/// Why a payload is not a notice.
public struct NoticeError: Error, Equatable, Sendable {
    /// Machine-readable, as the receipt carries it.
    public var reason: String
    /// The notice's id where it could be read.
    public var id: String?
}

extension Notice {
    /// Reads a notice from a payload of JSON. Unknown keys are ignored, a known key that stands there twice is refused.
    public init(decoding payload: [UInt8]) throws(NoticeError) {
        guard payload.count <= Notice.maximumSize else { throw NoticeError(reason: "too-large") }
        let fields = try NoticeFields(payload)
        id = fields.id
        do throws(FieldError) {
            content = try fields.content()
            paidAt = try fields.paidAt()
        } catch {
            throw NoticeError(reason: error.reason, id: fields.id)
        }
    }
}

private struct FieldError: Error {
    var reason: String
}

/// The known members of a notice's object, each taken once.
private struct NoticeFields {
    private static let known = [
        "id", "kind", "channel", "amount", "amountMinor", "currency", "paidAt", "order", "text", "prompt",
    ]

    let id: String
    private let values: [String: JSON]

    init(_ payload: [UInt8]) throws(NoticeError) {
        let json: JSON
        do {
            json = try JSON(parsing: payload, duplicateKeys: true)
        } catch {
            throw NoticeError(reason: error.reason.rawValue)
        }
        guard let members = json.members else { throw NoticeError(reason: "not-an-object") }
        var values: [String: JSON] = [:]
        var twice: Set<String> = []
        for member in members where NoticeFields.known.contains(member.key) {
            if values.updateValue(member.value, forKey: member.key) != nil { twice.insert(member.key) }
        }
        guard let value = values["id"], !twice.contains("id") else {
            throw NoticeError(reason: twice.contains("id") ? "duplicate-key" : "id-missing")
        }
        guard let id = value.string else { throw NoticeError(reason: "id-not-text") }
        guard !id.isEmpty else { throw NoticeError(reason: "id-empty") }
        guard id.utf8.count <= 128 else { throw NoticeError(reason: "id-too-long") }
        guard twice.isEmpty else { throw NoticeError(reason: "duplicate-key", id: id) }
        self.id = id
        self.values = values
    }

    func content() throws(FieldError) -> Notice.Content {
        switch try text("kind", most: 16) ?? "payment" {
        case "payment": return .payment(channel: try text("channel", most: 64), amount: try amount())
        case "refund": return .refund(channel: try text("channel", most: 64), amount: try amount())
        case "order": return .order(try required("order", most: 32))
        case "text": return .text(try required("text", most: 1024))
        case "prompt": return .prompt(try required("prompt", most: 32))
        default: throw FieldError(reason: "kind-unknown")
        }
    }

    func paidAt() throws(FieldError) -> Timestamp? {
        guard let value = values["paidAt"] else { return nil }
        guard let time = value.string.flatMap({ Timestamp(parsing: $0) }) else {
            throw FieldError(reason: "paid-at-malformed")
        }
        return time
    }

    private func amount() throws(FieldError) -> Amount {
        guard let currency = Currency(code: try text("currency", most: 3) ?? Currency.cny.code) else {
            throw FieldError(reason: "currency-unknown")
        }
        switch (values["amount"], values["amountMinor"]) {
        case (nil, nil): throw FieldError(reason: "amount-missing")
        case (.some, .some): throw FieldError(reason: "amount-twice")
        case (.string(let text), nil), (.number(let text), nil): return try parsed(text, currency)
        case (nil, .number(let text)): return try parsed(text, currency, inMinorUnits: true)
        default: throw FieldError(reason: "amount-wrong-type")
        }
    }

    private func parsed(
        _ text: String, _ currency: Currency, inMinorUnits: Bool = false
    ) throws(FieldError) -> Amount {
        do throws(AmountError) {
            return try inMinorUnits
                ? Amount(parsingMinorUnits: text, currency: currency) : Amount(parsing: text, currency: currency)
        } catch {
            throw FieldError(reason: error.rawValue)
        }
    }

    private func text(_ key: String, most: Int) throws(FieldError) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value.string else { throw FieldError(reason: "\(key)-not-text") }
        guard !text.isEmpty else { throw FieldError(reason: "\(key)-empty") }
        // The currency is told apart by what it is, not by how long it is.
        guard text.utf8.count <= most || key == "currency" else { throw FieldError(reason: "\(key)-too-long") }
        return text
    }

    private func required(_ key: String, most: Int) throws(FieldError) -> String {
        guard let text = try text(key, most: most) else { throw FieldError(reason: "\(key)-missing") }
        return text
    }
}
