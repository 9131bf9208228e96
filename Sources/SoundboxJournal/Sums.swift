import SoundboxCore

/// Counts and sums of money per currency, payments and refunds apart; what leaves 64 bits stays at their end.
struct Sums: Sendable {
    private var byCurrency: [String: Total] = [:]

    /// In the order of the currencies' codes.
    var totals: [Total] { byCurrency.values.sorted { $0.currency.code < $1.currency.code } }

    mutating func add(_ notice: NoticeRecord) {
        guard let amount = notice.amount else { return }
        add(amount.currency, notice.kind, count: 1, high: 0, low: amount.minorUnits)
    }

    /// Adds `count` notices of `high` × 2²⁰ + `low` minor units together.
    mutating func add(_ currency: Currency, _ kind: NoticeRecord.Kind, count: Int, high: UInt64, low: UInt64) {
        var total = byCurrency[currency.code] ?? Total(currency: currency)
        func sum(_ before: UInt64) -> UInt64 {
            let (shifted, leaves) = high.multipliedReportingOverflow(by: 1 << 20)
            let (part, overflows) = shifted.addingReportingOverflow(low)
            let (sum, overflowsAgain) = before.addingReportingOverflow(part)
            return leaves || overflows || overflowsAgain ? .max : sum
        }
        switch kind {
        case .payment:
            total.payments += count
            total.paid = sum(total.paid)
        case .refund:
            total.refunds += count
            total.refunded = sum(total.refunded)
        case .order, .text, .prompt: return
        }
        byCurrency[currency.code] = total
    }
}
