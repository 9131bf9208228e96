/// What is wrong, as the error light counts it out. The raw value is the number of blinks.
public enum ErrorCause: Int, Comparable, CaseIterable, Sendable {
    /// No sound card.
    case card = 1
    /// No voice pack that can be used.
    case pack = 2
    /// The journal cannot be written.
    case journal = 3
    /// The wall clock was never set.
    case clock = 4
    /// A notice was rejected.
    case rejected = 5
    /// The box was not provisioned, or the provisioned configuration is refused.
    case provisioning = 6
    /// The watchdog ended the life before this one.
    case hung = 7

    /// Fewer blinks first.
    public static func < (left: ErrorCause, right: ErrorCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What the lights have to tell.
public struct Indication: Equatable, Sendable {
    /// How the box is connected.
    public enum Network: Sendable {
        /// No broker yet, or no longer.
        case connecting
        /// The broker has us.
        case online
        /// The broker does not want us.
        case refused
    }

    /// How the box is connected.
    public var network: Network
    /// Whether a payment is being said.
    public var isSpeaking: Bool
    /// Counts up with each payment that is said, or would be if the box were not muted.
    public var payments: Int
    /// What is wrong.
    public var causes: Set<ErrorCause>
    /// Whether lights are to be dim.
    public var isNight: Bool

    /// A box that has just begun, unless more is known.
    public init(
        network: Network = .connecting, isSpeaking: Bool = false, payments: Int = 0, causes: Set<ErrorCause> = [],
        isNight: Bool = false
    ) {
        self.network = network
        self.isSpeaking = isSpeaking
        self.payments = payments
        self.causes = causes
        self.isNight = isNight
    }
}
