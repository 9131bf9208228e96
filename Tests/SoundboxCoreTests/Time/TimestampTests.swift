import Foundation
import TestSupport
import Testing

@testable import SoundboxCore

struct TimestampTests {
    @Test(
        "RFC 3339 is read with its offset, its fraction and its leap second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-30T10:11:12+08:00", 1_796_004_672_000),
            ("2026-11-30t02:11:12.5z", 1_796_004_672_500), ("2026-11-30 02:11:12.123456789-00:00", 1_796_004_672_123),
            ("2000-02-29T23:59:60Z", 951_868_799_000), ("1969-12-31T23:59:59.999Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139_000),
        ] as [(String, Int64)])
    func reading(text: String, milliseconds: Int64) {
        #expect(Timestamp(parsing: text)?.milliseconds == milliseconds)
    }

    @Test(
        "What is no full date and time with an offset is refused",
        arguments: [
            "", "2026-11-30", "2026-11-30T10:11:12", "2026-11-30T10:11Z", "2026-11-30T10:11:12+08",
            "2026-11-30T10:11:12.Z",
            "2026-11-30T10:11:12.1234567890Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+08:60",
            "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
            "2026-1-1T0:0:0Z", "20260101T000000Z",
        ])
    func refusal(text: String) {
        #expect(Timestamp(parsing: text) == nil)
    }

    @Test("Written and read back it is the same, and as Foundation writes it")
    func roundTrip() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<2000 {
            // From 1900 to 9999: Foundation's calendar before 1582 is another one.
            let time = Timestamp(
                milliseconds: Int64.random(in: -2_208_988_800_000..<253_402_300_800_000, using: &random))
            #expect(Timestamp(parsing: time.text) == time)
            #expect(time.text == formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)))
        }
    }
}
