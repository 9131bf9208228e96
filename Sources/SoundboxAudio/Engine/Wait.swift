/// How long a thread has nothing to do, unless it is woken.
enum Wait: Equatable {
    case forever
    case nanoseconds(Int)

    /// As poll(2) wants it: never too early, never zero.
    var milliseconds: Int32 {
        switch self {
        case .forever: -1
        case .nanoseconds(let time): Int32(clamping: max(1, (time + 999_999) / 1_000_000))
        }
    }

    /// At most so many nanoseconds.
    func shortened(to limit: Int) -> Wait {
        switch self {
        case .forever: .nanoseconds(limit)
        case .nanoseconds(let time): .nanoseconds(min(time, limit))
        }
    }
}
