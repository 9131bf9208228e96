/// What the journal keeps of one notice: enough to answer a duplicate, to sum up a day, and to say after a restart
/// what was accepted and not yet heard.
public struct NoticeRecord: Equatable, Sendable {
    /// How far a notice has come. The raw value is the journal's and the receipt's word for it.
    public enum State: String, Sendable {
        /// Recorded, not yet heard.
        case accepted
        /// Heard to its last sample.
        case spoken
        /// Too late to be said.
        case expired
        /// Given up, for a reason.
        case failed

        /// Whether nothing more will become of the notice.
        public var isFinal: Bool { self != .accepted }
    }

    /// What a notice is about. The raw value is the journal's and the notice's word for it.
    public enum Kind: String, Sendable {
        case payment, refund, order, text, prompt
    }

    /// The sender's id.
    public var id: String
    /// What it is about.
    public var kind: Kind
    /// How far it has come.
    public var state: State
    /// Why, for `expired` and `failed`.
    public var reason: String?
    /// The channel, where the notice names one.
    public var channel: String?
    /// The money, where the notice is about money.
    public var amount: Amount?
    /// When the customer paid, as the notice says.
    public var paidAt: Timestamp?
    /// When the box got it, on its own clock.
    public var receivedAt: Timestamp
    /// When its last sample was played, or that of the summary it was merged into.
    public var spokenAt: Timestamp?
    /// The notice as it was received, while it is not final.
    public var payload: [UInt8]

    /// A notice that was just accepted, unless more is known.
    public init(
        id: String, kind: Kind = .payment, state: State = .accepted, reason: String? = nil, channel: String? = nil,
        amount: Amount? = nil,
        paidAt: Timestamp? = nil, receivedAt: Timestamp, spokenAt: Timestamp? = nil, payload: [UInt8] = []
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.reason = reason
        self.channel = channel
        self.amount = amount
        self.paidAt = paidAt
        self.receivedAt = receivedAt
        self.spokenAt = spokenAt
        self.payload = payload
    }
}

/// What came in over a time in one currency, as it was heard.
public struct Total: Equatable, Sendable {
    /// The currency of the sums.
    public var currency: Currency
    /// Payments heard.
    public var payments: Int
    /// Their sum in minor units.
    public var paid: UInt64
    /// Refunds heard.
    public var refunds: Int
    /// Their sum in minor units.
    public var refunded: UInt64

    /// Payments less refunds in major units, as ``Currency/decimalText(_:)`` writes them; `-` in front of what is below nothing.
    public var netText: String {
        refunded > paid ? "-" + currency.decimalText(refunded - paid) : currency.decimalText(paid - refunded)
    }

    /// Counts and sums of one currency.
    public init(currency: Currency, payments: Int = 0, paid: UInt64 = 0, refunds: Int = 0, refunded: UInt64 = 0) {
        self.currency = currency
        self.payments = payments
        self.paid = paid
        self.refunds = refunds
        self.refunded = refunded
    }
}

/// The one reply that a command got, kept so that a command delivered twice runs once.
public struct CommandRecord: Equatable, Sendable {
    /// The sender's id.
    public var id: String
    /// The reply as it was published.
    public var reply: String

    /// A command and what was answered.
    public init(id: String, reply: String) {
        self.id = id
        self.reply = reply
    }
}
