import Foundation
import SoundboxCore
import SoundboxPlatform
import Testing

/// The box's time zone. Of the process, so one after the other.
@Suite(.serialized)
struct LocalClockTests {
    private func timestamp(_ text: String) throws -> Timestamp {
        try #require(Timestamp(parsing: text))
    }

    @Test(
        "Times of day and midnights, also on days of 23 and 25 hours",
        arguments: [
            ("Asia/Shanghai", "2026-11-30T10:11:59+08:00", 611, "2026-11-30T00:00:00+08:00"),
            ("Asia/Shanghai", "2026-11-30T23:59:00+08:00", 1439, "2026-11-30T00:00:00+08:00"),
            ("Asia/Kathmandu", "2026-11-30T00:00:00+05:45", 0, "2026-11-30T00:00:00+05:45"),
            ("Europe/Berlin", "2026-03-29T12:00:00+02:00", 720, "2026-03-29T00:00:00+01:00"),
            ("Europe/Berlin", "2026-10-25T12:00:00+01:00", 720, "2026-10-25T00:00:00+02:00"),
            ("America/New_York", "2026-07-04T20:30:00-04:00", 1230, "2026-07-04T00:00:00-04:00"),
        ])
    func local(zone: String, time: String, minutes: Int, midnight: String) throws {
        #expect(LocalClock.isZone(zone))
        LocalClock.setZone(zone)
        let local = LocalClock.read(try timestamp(time))
        let expected = LocalTime(minutes: minutes, midnight: try timestamp(midnight))
        #expect(local == expected, "\(zone) \(time)")
    }

    @Test(
        "Only what the machine has is a zone",
        arguments: ["", "Asia", "Asia/Peking", "/etc/passwd", "../zoneinfo/UTC", "tzdata.zi", "CST-8", "a\u{0}b"])
    func noZone(name: String) {
        #expect(!LocalClock.isZone(name))
    }
}
