import Glibc
import SoundboxCore

/// The clock on the wall of the shop: the C library's time zone.
public enum LocalClock {
    private static let folder = "/usr/share/zoneinfo"

    /// Whether the machine has a time zone of this name of the IANA's, `Asia/Shanghai`: a file of tzfile(5). Any thread.
    public static func isZone(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/_+-".utf8.contains(byte)
        }
        guard isPlain, !name.hasPrefix("/"), let bytes = try? File.read("\(folder)/\(name)", limit: 1 << 20) else {
            return false
        }
        return bytes.starts(with: "TZif".utf8)
    }

    /// Makes a zone that of this process. `TZ` and tzset(3); only before other threads start, since getenv(3) is theirs, too.
    public static func setZone(_ name: String) {
        setenv("TZ", ":\(name)", 1)
        tzset()
    }

    /// The time of day, and when the day began. localtime_r(3), mktime(3); any thread.
    ///
    /// A day that a clock change begins an hour late starts where mktime finds its midnight.
    public static func read(_ time: Timestamp) -> LocalTime {
        var seconds = time_t(time.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let minutes = Int(parts.tm_hour) * 60 + Int(parts.tm_min)
        parts.tm_hour = 0
        parts.tm_min = 0
        parts.tm_sec = 0
        parts.tm_isdst = -1
        return LocalTime(minutes: minutes, midnight: Timestamp(milliseconds: Int64(mktime(&parts)) * 1000))
    }
}
