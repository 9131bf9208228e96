/// A moment as the clock on the shop's wall shows it.
public struct LocalTime: Equatable, Sendable {
    /// Minutes since local midnight, 0 to 1439.
    public var minutes: Int
    /// When the local day began.
    public var midnight: Timestamp

    /// A time of day and the beginning of that day.
    public init(minutes: Int, midnight: Timestamp) {
        self.minutes = minutes
        self.midnight = midnight
    }
}
