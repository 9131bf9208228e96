/// The commits that the journal owes an answer for, and how long it may take: a card that hangs must not keep the
/// broker waiting for its acknowledgements, or it drops the connection.
public struct CommitWatch: Sendable {
    /// Nanoseconds after which a commit is called failed.
    public static let patience: UInt64 = 5_000_000_000

    private var commits: [(ticket: UInt64, receipts: Int64, due: UInt64)] = []

    /// A watch over nothing.
    public init() {}

    /// A commit was asked for at this monotonic time, which is to write the receipts up to this number.
    public mutating func asked(_ ticket: UInt64, receipts: Int64, at now: UInt64) {
        commits.append((ticket, receipts, now + CommitWatch.patience))
    }

    /// The number of the last receipt of a commit that was answered; nil for one that was given up before.
    public mutating func answered(_ ticket: UInt64) -> Int64? {
        guard let place = commits.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return commits.remove(at: place).receipts
    }

    /// When the oldest is given up, on the monotonic clock.
    public var deadline: UInt64 { commits.first?.due ?? .max }

    /// The commits to be given up now, the oldest first. Each is to be answered as failed.
    public func overdue(at now: UInt64) -> [UInt64] {
        commits.prefix { $0.due <= now }.map(\.ticket)
    }
}
