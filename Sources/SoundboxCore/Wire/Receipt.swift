/// What the box tells the backend about one notice.
public struct Receipt: Equatable, Sendable {
    /// How far the notice has come.
    public enum State: String, Sendable {
        /// Recorded.
        case accepted
        /// Its first sample is at the device.
        case speaking
        /// Its last sample was played.
        case spoken
        /// The id was there before: nothing is said.
        case duplicate
        /// Not a notice that can be taken.
        case rejected
        /// Too late.
        case expired
        /// Given up.
        case failed

        /// Only the news of the moment is not worth a delivery guarantee.
        var qos: Int { self == .speaking ? 0 : 1 }

        /// Whether nothing follows. What follows `accepted` tells as much, so that only the last word must survive a
        /// restart.
        var isFinal: Bool { self != .accepted && self != .speaking }
    }

    /// Several notices that were heard in one sentence.
    public struct Summary: Equatable, Sendable {
        /// The id of the first of them.
        public var id: String
        /// How many they are.
        public var count: Int

        /// So many notices, beginning with this one.
        public init(id: String, count: Int) {
            self.id = id
            self.count = count
        }
    }

    /// Nil where the payload had no id that could be read.
    public var id: String?
    /// How far it has come.
    public var state: State
    /// Machine-readable: why rejected, expired or failed; for `spoken` why something else was said.
    public var reason: String?
    /// When it came so far, on the box's clock.
    public var at: Timestamp
    /// Whether the clock has been synchronised since boot, so that `at` can be believed.
    public var clockIsTrusted: Bool
    /// Received → first sample at the device.
    public var latencyMilliseconds: Int?
    /// The part of it spent behind others.
    public var queuedMilliseconds: Int?
    /// False where the journal could not record the notice durably.
    public var isDurable = true
    /// What became of the first notice with this id.
    public var first: NoticeRecord.State?
    /// The summary in which the notice was heard among others.
    public var summary: Summary?
    /// SHA-256 of the payload in hex, where there is no id.
    public var digest: String?

    /// A receipt with what each has; the rest is set where it is known.
    public init(id: String?, state: State, reason: String? = nil, at: Timestamp, clockIsTrusted: Bool) {
        self.id = id
        self.state = state
        self.reason = reason
        self.at = at
        self.clockIsTrusted = clockIsTrusted
    }

    /// The receipt as it is published.
    public var json: JSON {
        var members: [JSON.Member] = [
            .init("id", id.map { .string($0) } ?? .null), .init("state", .string(state.rawValue)),
        ]
        if let reason { members.append(.init("reason", .string(reason))) }
        members.append(.init("at", .string(at.text)))
        if !clockIsTrusted { members.append(.init("clock", false)) }
        if let latencyMilliseconds { members.append(.init("latencyMs", JSON(latencyMilliseconds))) }
        if let queuedMilliseconds { members.append(.init("queuedMs", JSON(queuedMilliseconds))) }
        if !isDurable { members.append(.init("durable", false)) }
        if let first { members.append(.init("first", .string(first.rawValue))) }
        if let summary {
            members.append(
                .init("summary", .object([.init("id", .string(summary.id)), .init("count", JSON(summary.count))])))
        }
        if let digest { members.append(.init("sha256", .string(digest))) }
        return .object(members)
    }
}
