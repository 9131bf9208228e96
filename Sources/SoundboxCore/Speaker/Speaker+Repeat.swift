// What was paid before: once more, and in sum.

/// A payment that was said again on request.
struct Repetition {
    /// So soon after the request, or after its end, the next request means the payment before.
    static let interval: UInt64 = 1_500_000_000
    /// Older than this, in milliseconds, it is said with its time.
    static let recent: Int64 = 600_000

    /// 0 for the last payment, 1 for the one before.
    var back: Int
    var announcement: UInt64
    /// When it was asked for or when it was said to its end, on the monotonic clock.
    var at: UInt64
}

extension Speaker {
    mutating func repeatPayment(at now: Now) -> Outcome {
        let earlier = repetition.flatMap { now.monotonic <= $0.at + Repetition.interval ? $0 : nil }
        let wanted = earlier.map { $0.back + 1 } ?? 0
        return repeatPayment(back: wanted, instead: earlier, at: now)
    }

    /// Says the payment so far back, in place of a repetition that may still be heard.
    mutating func repeatPayment(back wanted: Int, instead earlier: Repetition?, at now: Now) -> Outcome {
        // Behind the first of all payments there is none: that one stays the answer.
        var back = wanted
        while back > 0, ports.spokenPayment(back) == nil { back -= 1 }
        guard let record = ports.spokenPayment(back), let amount = record.amount else {
            _ = say(.phrase("prompt.nothing-yet"))
            return .failure(CommandError(reason: "nothing-yet"))
        }
        if let earlier { withdraw(earlier.announcement) }
        let utterance = Utterance.payment(channel: record.channel, amount: amount)
        let time = record.paidAt ?? record.receivedAt
        let isRecent = !now.wallIsTrusted || now.wall.milliseconds - time.milliseconds <= Repetition.recent
        let outcome = say(utterance, as: isRecent ? nil : plan(utterance, in: "repeat.at", paidAt: time))
        if case .success = outcome {
            repetition = Repetition(back: back, announcement: announcements, at: now.monotonic)
            panel.repetition = announcements
        }
        return outcome.map { [.init("notice", .string(record.id)), .init("back", JSON(back))] + $0 }
    }

    /// The sound of a payment inside another phrase, with its time: `late` or `repeat.at`. Where the amount cannot be said
    /// there, the payment is said without it; nil where the voice has no way to say it.
    func plan(_ utterance: Utterance, in frame: String, paidAt: Timestamp) -> ClipPlan? {
        guard case .phrase(let key, var values) = utterance else { return nil }
        values.time = ports.localTime(paidAt).minutes
        for payment in Phrase.family(of: key) == "payment" ? [key, "payment.generic"] : [key] {
            values.payment = payment
            if let plan = try? planner.plan(.phrase(frame, values), style: settings.style) { return plan }
        }
        return nil
    }

    /// Takes back what is no longer wanted, whether it waits or is being said.
    private mutating func withdraw(_ id: UInt64) {
        waiting.removeAll { $0.id == id }
        if current?.id == id { perform(.stop) }
    }

    // MARK: - Today

    mutating func sayTotal(at now: Now) -> Outcome {
        let totals = ports.totals(ports.localTime(now.wall).midnight)
            .filter { $0.payments > 0 || $0.refunds > 0 }.sorted { $0.currency.code < $1.currency.code }
        let sentences = totals.flatMap(Speaker.sentences)
        let outcomes = sentences.isEmpty ? [say(.phrase("total.none"))] : sentences.map { say($0) }
        let said = outcomes.compactMap { outcome -> String? in
            guard case .success(let members) = outcome else { return nil }
            return members.first { $0.key == "says" }?.value.string
        }
        if said.isEmpty, let first = outcomes.first { return first }
        return .success([
            .init("totals", .array(totals.map(Speaker.json))), .init("says", .string(said.joined(separator: "; "))),
        ])
    }

    /// What a merchant wants to hear of a day: what is in the till. Where more was given back than came in, no sum of
    /// payments can say that; then both are said.
    private static func sentences(_ total: Total) -> [Utterance] {
        func amount(_ units: UInt64) -> Amount? { Amount(minorUnits: units, currency: total.currency) }
        guard total.refunded > total.paid || total.payments == 0 else {
            return [.phrase("total.today", .init(amount: amount(total.paid - total.refunded), count: total.payments))]
        }
        let payments = Utterance.phrase("total.today", .init(amount: amount(total.paid), count: total.payments))
        return (total.payments > 0 ? [payments] : []) + [.phrase("refund", .init(amount: amount(total.refunded)))]
    }

    private static func json(_ total: Total) -> JSON {
        .object([
            .init("currency", .string(total.currency.code)), .init("payments", JSON(total.payments)),
            .init("paid", .string(total.currency.decimalText(total.paid))), .init("refunds", JSON(total.refunds)),
            .init("refunded", .string(total.currency.decimalText(total.refunded))),
            .init("total", .string(total.netText)),
        ])
    }
}
