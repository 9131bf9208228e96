import Testing

@testable import SoundboxCore

@Suite struct CurrencyTests {
    @Test(arguments: [
        ("CNY", 2), ("USD", 2), ("EUR", 2), ("GBP", 2), ("INR", 2), ("HKD", 2), ("JPY", 0), ("KRW", 0), ("VND", 0),
        ("KWD", 3), ("BHD", 3), ("TND", 3), ("IDR", 2),
    ]) func knowsTheDecimals(_ code: String, _ decimals: Int) {
        #expect(Currency(code: code)?.decimals == decimals)
        #expect(Currency(code: code)?.code == code)
    }

    @Test(arguments: ["", "cny", "CN", "CNYX", "XAU", "XXX", "XTS", "DEM", "CNY ", "ＣＮＹ"]) func refuses(_ code: String)
    {
        #expect(Currency(code: code) == nil)
    }

    @Test func yuanIsTheDefault() {
        #expect(Currency(code: "CNY") == .cny)
    }
}
