import TestSupport
import Testing

@testable import SoundboxCore

@Suite struct AmountTests {
    @Test(
        arguments: [
            ("100.65", "CNY", 10_065), ("100.6", "CNY", 10_060), ("100", "CNY", 10_000), ("0.05", "CNY", 5),
            ("0", "CNY", 0),
            ("00.50", "CNY", 50), ("9999999999999.99", "CNY", 999_999_999_999_999),
            ("999999999999999", "JPY", 999_999_999_999_999),
            ("1", "KWD", 1_000), ("1.250", "KWD", 1_250), ("0.001", "KWD", 1),
        ] as [(String, String, UInt64)]) func reads(_ text: String, _ code: String, _ minorUnits: UInt64) throws
    {
        let currency = try #require(Currency(code: code))
        let amount = try Amount(parsing: text, currency: currency)
        #expect(amount.minorUnits == minorUnits)
        #expect(amount.currency.code == code)
    }

    @Test(
        arguments: [
            ("", "CNY", .malformed), (" 5", "CNY", .malformed), ("5 ", "CNY", .malformed), ("5\n", "CNY", .malformed),
            (".5", "CNY", .malformed), ("5.", "CNY", .malformed), ("1.2.3", "CNY", .malformed),
            ("1,000", "CNY", .malformed),
            ("１００", "CNY", .malformed), ("NaN", "CNY", .malformed), ("e5", "CNY", .malformed),
            ("0x10", "CNY", .malformed),
            ("五", "CNY", .malformed), ("-1", "CNY", .signed), ("+1", "CNY", .signed), ("-", "CNY", .signed),
            ("1e3", "CNY", .exponent), ("1E3", "CNY", .exponent), ("1.5e3", "CNY", .exponent),
            ("100.655", "CNY", .tooPrecise), ("1.0", "JPY", .tooPrecise), ("1.0001", "KWD", .tooPrecise),
            ("1000000000000000", "JPY", .tooLong), ("0000000000000001", "JPY", .tooLong),
            ("10000000000000.00", "CNY", .tooLong),
            ("10000000000000", "CNY", .tooLong), ("999999999999999", "CNY", .tooLong),
            ("99999999999999999999999", "CNY", .tooLong),
        ] as [(String, String, AmountError)]) func refuses(_ text: String, _ code: String, _ error: AmountError) throws
    {
        let currency = try #require(Currency(code: code))
        #expect(throws: error) { try Amount(parsing: text, currency: currency) }
    }

    @Test func hasAtMostFifteenDigits() {
        #expect(Amount(minorUnits: 999_999_999_999_999, currency: .cny) != nil)
        #expect(Amount(minorUnits: 1_000_000_000_000_000, currency: .cny) == nil)
    }

    @Test(
        arguments: [
            (10_060, "CNY", "100.60"), (5, "CNY", "0.05"), (0, "CNY", "0.00"), (100, "CNY", "1.00"), (7, "JPY", "7"),
            (1, "KWD", "0.001"), (12_345, "KWD", "12.345"),
        ] as [(UInt64, String, String)]) func writesItsDecimals(_ minorUnits: UInt64, _ code: String, _ text: String)
        throws
    {
        let currency = try #require(Currency(code: code))
        let amount = try #require(Amount(minorUnits: minorUnits, currency: currency))
        #expect(amount.decimalText == text)
    }

    /// Reading what was written gives the same amount.
    @Test func roundTrips() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for code in ["CNY", "JPY", "KWD"] {
            let currency = try #require(Currency(code: code))
            for _ in 0..<1_000 {
                let limit = UInt64.random(in: 0...999_999_999_999_999, using: &random)
                let minorUnits = UInt64.random(in: 0...limit, using: &random)
                let amount = try #require(Amount(minorUnits: minorUnits, currency: currency))
                #expect(try Amount(parsing: amount.decimalText, currency: currency) == amount, "seed \(seed)")
            }
        }
    }
}
