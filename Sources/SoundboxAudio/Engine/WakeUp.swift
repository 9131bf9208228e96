import CLinux
import Glibc

/// Wakes a thread that sleeps in poll(2): an eventfd. Signals before a wait are not lost, and several are one.
struct WakeUp: ~Copyable {
    /// To be polled for reading.
    let descriptor: Int32

    /// - Throws: ``PCMError`` where the process is out of descriptors.
    init() throws(PCMError) {
        descriptor = soundbox_eventfd()
        if descriptor < 0 { throw PCMError(.wakeUp, errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the sleeper. Any thread.
    func signal() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Forgets the signals so far. The sleeper, before it looks at what they were for.
    func clear() {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
    }

    /// Sleeps until a signal or until the time is over, and forgets the signals.
    func wait(_ time: Wait) {
        var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptors, 1, time.milliseconds)
        clear()
    }
}

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
}

/// CLOCK_MONOTONIC in nanoseconds.
func monotonicNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}
