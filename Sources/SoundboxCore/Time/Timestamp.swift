/// A point on the wall clock: milliseconds since 1970-01-01T00:00:00Z, as RFC 3339 writes them.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int64

    /// The time so many milliseconds after the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Earlier than.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

// MARK: - RFC 3339

extension Timestamp {
    /// Reads `2026-11-30T10:11:12+08:00`: a full date and time with an offset, the seconds with up to nine decimals.
    /// A leap second counts as the second before it. Nil for anything else.
    public init?(parsing text: some StringProtocol) {
        var scanner = DigitScanner(bytes: Array(text.utf8))
        guard let year = scanner.digits(4), scanner.take("-"),
            let month = scanner.digits(2), (1...12).contains(month), scanner.take("-"),
            let day = scanner.digits(2), day >= 1, day <= Timestamp.days(inMonth: month, of: year),
            scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.digits(2), hour < 24, scanner.take(":"),
            let minute = scanner.digits(2), minute < 60, scanner.take(":"),
            let second = scanner.digits(2), second <= 60,
            let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let days = Timestamp.daysSinceEpoch(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + min(second, 59)
        milliseconds = Int64(seconds) * 1000 + Int64(fraction)
    }

    /// The time in UTC with milliseconds, `2026-11-30T02:11:12.000Z`.
    public var text: String {
        let day = Int(milliseconds.floorDivided(by: 86_400_000))
        let time = Int(milliseconds - Int64(day) * 86_400_000)
        let (year, month, dayOfMonth) = Timestamp.date(daysSinceEpoch: day)
        func pad(_ value: Int, _ width: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(pad(year, 4))-\(pad(month))-\(pad(dayOfMonth))T\(pad(time / 3_600_000)):"
            + "\(pad(time / 60_000 % 60)):\(pad(time / 1000 % 60)).\(pad(time % 1000, 3))Z"
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: return 31
        }
    }

    // Days and dates of the proleptic Gregorian calendar, counted in years that begin in March, so that the leap day
    // is a year's last.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * y + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468
    }

    private static func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(Int64(shifted).floorDivided(by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = (shiftedMonth + 2) % 12 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// The quotient rounded down, for a positive divisor.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Reads fixed-width fields from ASCII.
private struct DigitScanner {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { at == bytes.count }

    mutating func take(_ character: Character) -> Bool {
        guard at < bytes.count, bytes[at] == character.asciiValue else { return false }
        at += 1
        return true
    }

    mutating func digit() -> Int? {
        guard at < bytes.count, (0x30...0x39).contains(bytes[at]) else { return nil }
        at += 1
        return Int(bytes[at - 1] - 0x30)
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Milliseconds after an optional point; nil where the point has no digit or more than nine behind it.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        var value = 0
        var count = 0
        while let digit = digit() {
            count += 1
            if count <= 3 { value = value * 10 + digit }
        }
        guard (1...9).contains(count) else { return nil }
        for _ in 0..<max(0, 3 - count) { value *= 10 }
        return value
    }

    /// The offset from UTC in minutes.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2), hours < 24, take(":"), let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
