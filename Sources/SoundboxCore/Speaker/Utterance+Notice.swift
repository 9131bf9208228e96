extension Utterance {
    /// What a notice says.
    init(_ content: Notice.Content) {
        switch content {
        case .payment(let channel, let amount): self = .payment(channel: channel, amount: amount)
        case .refund(let channel, let amount): self = .money("refund", channel: channel, amount: amount)
        case .order(let kind): self = .phrase("order.\(kind)")
        case .text(let text): self = .text(text)
        case .prompt(let key): self = .phrase("prompt.\(key)")
        }
    }

    /// A payment on a channel, or on one that nobody named.
    public static func payment(channel: String?, amount: Amount) -> Utterance {
        money("payment", channel: channel, amount: amount)
    }

    private static func money(_ kind: String, channel: String?, amount: Amount) -> Utterance {
        // `payment.generic` is no channel's phrase: it leaves the amount out.
        let channel = channel == "generic" ? nil : channel
        return .phrase(channel.map { "\(kind).\($0)" } ?? kind, .init(amount: amount))
    }
}
