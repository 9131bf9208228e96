/// An exact decimal number as it is read aloud: a sign, an integer and the digits behind the point.
///
/// Zeros at the end of the fraction are not part of the number: 100.60 is read as 100.6, and 100.00 as 100.
public struct DecimalNumber: Hashable, Sendable {
    /// Whether the number is below zero.
    public let isNegative: Bool
    /// The digits before the point.
    public let integer: UInt64
    /// The digits behind the point as an integer: 5 for both 0.5 and 0.05.
    public let fraction: UInt64
    /// How many digits there are behind the point: 2 for 0.05, 0 for a whole number.
    public let fractionDigits: Int

    /// The most digits that a fraction may have.
    public static let maximumFractionDigits = 19

    /// A whole number.
    public init(_ integer: UInt64, isNegative: Bool = false) {
        self.isNegative = isNegative && integer > 0
        self.integer = integer
        fraction = 0
        fractionDigits = 0
    }

    /// The number `units` / 10^`decimals`: 10065 with 2 decimals is 100.65; nil for decimals outside 0...19.
    public init?(units: UInt64, decimals: Int, isNegative: Bool = false) {
        guard (0...DecimalNumber.maximumFractionDigits).contains(decimals) else { return nil }
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        var digits = decimals
        var fraction = units % scale
        if fraction == 0 { digits = 0 }
        while digits > 0, fraction % 10 == 0 {
            fraction /= 10
            digits -= 1
        }
        self.isNegative = isNegative && units > 0
        self.integer = units / scale
        self.fraction = fraction
        self.fractionDigits = digits
    }

    /// The same number without its sign.
    var magnitude: DecimalNumber {
        DecimalNumber(integer: integer, fraction: fraction, fractionDigits: fractionDigits)
    }

    private init(integer: UInt64, fraction: UInt64, fractionDigits: Int) {
        isNegative = false
        self.integer = integer
        self.fraction = fraction
        self.fractionDigits = fractionDigits
    }
}
