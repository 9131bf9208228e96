import CLinux
import Glibc
import SoundboxCore

/// The machine's clocks.
public enum SystemClock {
    /// Nanoseconds of CLOCK_MONOTONIC. Any thread.
    public static var monotonic: UInt64 {
        let time = read(CLOCK_MONOTONIC)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// CLOCK_REALTIME. Any thread.
    public static var wall: Timestamp {
        let time = read(CLOCK_REALTIME)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Whether the kernel takes the wall clock for right within 16 s, the bound at which it gives up synchronisation.
    ///
    /// A Pi has no clock and wakes up years ago. The bound grows by 500 ppm while the network is away, so that a box
    /// that was right this morning reads as wrong at night: once true it stays true until the next boot, and that is
    /// the caller's to remember.
    public static var isSynchronised: Bool {
        let error = soundbox_clock_maximum_error()
        return error >= 0 && error < 16_000_000
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
