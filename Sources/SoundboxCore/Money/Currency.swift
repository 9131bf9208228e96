/// A currency of ISO 4217: its code and how many decimals its minor unit makes.
public struct Currency: Hashable, Sendable {
    /// The alphabetic code, `CNY`.
    public let code: String
    /// Digits after the decimal point: 2 for CNY, 0 for JPY, 3 for KWD.
    public let decimals: Int

    /// The currency with this code; nil where ISO 4217 has no such money in circulation.
    public init?(code: String) {
        guard let decimals = Currency.decimals[code] else { return nil }
        self.code = code
        self.decimals = decimals
    }

    init(_ code: String, decimals: Int) {
        self.code = code
        self.decimals = decimals
    }

    /// Chinese yuan, the money of a notice that names none.
    public static let cny = Currency("CNY", decimals: 2)

    /// The codes by their number of decimals (ISO 4217, list one, without funds, metals and testing codes).
    private static let decimals: [String: Int] = {
        let lists: [(Int, String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
            (
                2,
                """
                AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
                CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL \
                HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP \
                MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD \
                SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS \
                VES WST XCD YER ZAR ZMW
                """
            ),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
        ]
        var table: [String: Int] = [:]
        for (decimals, codes) in lists {
            for code in codes.split(separator: " ") { table[String(code)] = decimals }
        }
        return table
    }()
}
