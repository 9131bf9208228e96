/// The wall clock as far as it can be believed.
///
/// A Pi has no clock and wakes up years ago. Until it is synchronised, it is at least as late as it was when an earlier life
/// last knew, plus the time since the start.
struct BelievedClock {
    /// Nanoseconds of the clock that never jumps.
    let startedAt: UInt64
    /// When an earlier life last knew the time.
    let floor: Timestamp?

    func read(_ now: Now) -> Now {
        guard let floor, !now.wallIsTrusted else { return now }
        let uptime = Int64((now.monotonic - min(now.monotonic, startedAt)) / 1_000_000)
        var believed = now
        believed.wall = max(now.wall, Timestamp(milliseconds: floor.milliseconds + uptime))
        return believed
    }
}
