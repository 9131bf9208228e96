/// Something to be said.
public enum Utterance: Hashable, Sendable {
    /// A phrase of the voice pack by its key, with the values of its placeholders. A channel's payment or refund that
    /// has no phrase of its own is said with `payment` or `refund`.
    case phrase(String, Values = Values())
    /// An amount alone.
    case amount(Amount)
    /// Words as they stand.
    case text(String)

    /// The values of a phrase's placeholders; those that the phrase does not use are ignored.
    public struct Values: Hashable, Sendable {
        /// `{amount}`
        public var amount: Amount?
        /// `{time}`, in minutes since midnight.
        public var time: Int?
        /// `{count}`
        public var count: Int?
        /// `{digits}`, ASCII digits that are read one by one.
        public var digits: String?
        /// `{volume}`, 0 to 100.
        public var volume: Int?
        /// `{payment}`: the key of the phrase that `late` and `repeat.at` wrap.
        public var payment: String?

        /// Values for a phrase.
        public init(
            amount: Amount? = nil, time: Int? = nil, count: Int? = nil, digits: String? = nil, volume: Int? = nil,
            payment: String? = nil
        ) {
            self.amount = amount
            self.time = time
            self.count = count
            self.digits = digits
            self.volume = volume
            self.payment = payment
        }
    }
}
