/// What a light does over time, as data: lit and dark in turn, again and again.
public struct BlinkPattern: Equatable, Sendable {
    /// Milliseconds lit, dark, lit, … Empty is always dark, a single time always lit.
    public var times: [Int]

    /// A pattern of these times, in milliseconds, beginning with lit.
    public init(_ times: [Int]) {
        self.times = times
    }

    /// Never lit.
    public static let dark = BlinkPattern([])
    /// Always lit.
    public static let lit = BlinkPattern([1000])
    /// Looking for the broker.
    public static let slow = BlinkPattern([1000, 1000])
    /// The broker refuses us.
    public static let double = BlinkPattern([150, 150, 150, 1050])
    /// One payment, for those who do not hear it. Once through is one payment.
    public static let payment = BlinkPattern([150, 150, 150, 150, 150, 450])

    /// Codes to be counted, one after the other: as many blinks as the number says, then a long pause.
    public static func codes(_ numbers: [Int]) -> BlinkPattern {
        BlinkPattern(numbers.flatMap { [Int](repeating: 250, count: 2 * $0 - 1) + [1750] })
    }

    /// How long it takes once through, in nanoseconds.
    public var length: UInt64 { times.reduce(0) { $0 + BlinkPattern.nanoseconds($1) } }

    /// Whether the light is lit so many nanoseconds after the pattern began, and in how many it changes; nil for never.
    public func state(after elapsed: UInt64) -> (isLit: Bool, remaining: UInt64?) {
        guard times.count > 1 else { return (!times.isEmpty, nil) }
        var rest = elapsed % length
        for (index, time) in times.enumerated() {
            let time = BlinkPattern.nanoseconds(time)
            if rest < time { return (index.isMultiple(of: 2), time - rest) }
            rest -= time
        }
        return (false, nil)
    }

    private static func nanoseconds(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds) * 1_000_000 }
}
