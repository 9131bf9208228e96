/// Why a text is not an amount of a currency. The raw value is the machine-readable reason of a receipt.
public enum AmountError: String, Error, Sendable {
    /// No digits, or a character that is neither an ASCII digit nor the decimal point.
    case malformed = "amount-malformed"
    /// A sign in front.
    case signed = "amount-signed"
    /// An exponent.
    case exponent = "amount-exponent"
    /// More decimals than the currency has.
    case tooPrecise = "amount-too-precise"
    /// More than 15 digits.
    case tooLong = "amount-too-long"
}

/// An amount of money, exact: an integer of minor units, never negative, at most 15 digits.
public struct Amount: Hashable, Sendable {
    /// In the currency's minor units: 10065 is 100.65 CNY.
    public let minorUnits: UInt64
    /// What the units are of.
    public let currency: Currency

    /// How many digits an amount may have, before and after the point together.
    public static let maximumDigits = 15

    /// The largest of them, in minor units.
    static let largest: UInt64 = 999_999_999_999_999

    /// An amount of minor units; nil for more than 15 digits.
    public init?(minorUnits: UInt64, currency: Currency) {
        guard minorUnits <= Amount.largest else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads major units from decimal text: `100.65`, `100.6`, `100`, `0.05`.
    ///
    /// ASCII digits with at most one point between digits, and nothing else; the digits are counted as written,
    /// leading zeros too.
    public init(parsing text: some StringProtocol, currency: Currency) throws(AmountError) {
        let bytes = text.utf8
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { throw .signed }
        var value: UInt64 = 0
        var digits = 0
        var decimals: Int?
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                guard digits <= Amount.maximumDigits else { throw .tooLong }
                value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
                decimals = decimals.map { $0 + 1 }
            case UInt8(ascii: ".") where decimals == nil && digits > 0: decimals = 0
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard digits > 0 else { throw .malformed }
                throw .exponent
            default: throw .malformed
            }
        }
        guard digits > 0, decimals != 0 else { throw .malformed }
        guard decimals ?? 0 <= currency.decimals else { throw .tooPrecise }
        for _ in (decimals ?? 0)..<currency.decimals {
            value *= 10
        }
        guard value <= Amount.largest else { throw .tooLong }
        minorUnits = value
        self.currency = currency
    }

    /// Reads minor units from the text of an integer: `10065`.
    public init(parsingMinorUnits text: some StringProtocol, currency: Currency) throws(AmountError) {
        guard !text.utf8.contains(UInt8(ascii: ".")) else { throw .malformed }
        // Of a currency without decimals, the major unit is the minor one.
        let units = try Amount(parsing: text, currency: Currency(currency.code, decimals: 0))
        minorUnits = units.minorUnits
        self.currency = currency
    }

    /// The amount in major units with all its decimals, `100.60`.
    public var decimalText: String { currency.decimalText(minorUnits) }
}

extension Currency {
    /// So many minor units in major units with all their decimals, `100.60`; also more than an amount may be.
    public func decimalText(_ minorUnits: UInt64) -> String {
        let digits = String(minorUnits)
        guard decimals > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
