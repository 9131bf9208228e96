/// Decides whether systemd's watchdog may be fed: only while every thread has come by since the last time, since a
/// daemon whose sound hangs is as dead as one that hangs whole.
struct Watchdog {
    /// When to look again, on the monotonic clock.
    private(set) var deadline: UInt64
    private let interval: UInt64
    private var beats: [UInt64] = []

    /// - Parameter interval: what systemd waits, in nanoseconds; nil for no watchdog.
    init(interval: UInt64?) {
        // Four looks in one interval: a thread may miss one, in a long commit or a slow connect, before it is dead.
        self.interval = (interval ?? 0) / 4
        deadline = interval == nil ? .max : 0
    }

    /// Whether to feed it, from the threads' counters.
    mutating func look(_ current: [UInt64], at now: UInt64) -> Bool {
        deadline = now + interval
        guard beats.isEmpty || zip(beats, current).allSatisfy({ $0 != $1 }) else { return false }
        beats = current
        return true
    }
}
