import CSQLite
import Foundation
import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxJournal

/// What was spoken, one by one and in sums, whether it is on the disk already or not.
@Suite struct HistoryTests {
    private func spoken(
        _ id: String, _ minorUnits: UInt64 = 100, _ currency: String = "CNY", kind: NoticeRecord.Kind = .payment,
        at time: Timestamp = .noon
    ) -> NoticeRecord {
        var notice = NoticeRecord.sample(id)
        notice.kind = kind
        notice.state = .spoken
        notice.amount = Currency(code: currency).flatMap { Amount(minorUnits: minorUnits, currency: $0) }
        notice.spokenAt = time
        return notice
    }

    @Test func theLastPaymentsComeBackOneByOne() throws {
        let desk = try Desk()
        defer { desk.remove() }
        #expect(desk.journal.spokenPayment(back: 0) == nil)
        for id in ["a", "b", "c"] { desk.journal.record(spoken(id)) }
        desk.journal.record(spoken("refund", kind: .refund))
        desk.journal.record(.sample("unheard"))
        var failed = NoticeRecord.sample("failed")
        failed.state = .failed
        desk.journal.record(failed)
        for _ in 0..<2 {
            #expect((0...3).map { desk.journal.spokenPayment(back: $0)?.id } == ["c", "b", "a", nil])
            try desk.commit()
        }
        // Two that are not on the disk, and one of those is there as accepted.
        desk.journal.record(spoken("d"))
        desk.journal.record(spoken("unheard"))
        #expect((0...4).map { desk.journal.spokenPayment(back: $0)?.id }.last == "a")
        try desk.commit()
        // In the order in which they came in.
        #expect((0...5).map { desk.journal.spokenPayment(back: $0)?.id } == ["d", "unheard", "c", "b", "a", nil])
    }

    @Test func totalsKeepCurrenciesAndRefundsApart() throws {
        let desk = try Desk()
        defer { desk.remove() }
        #expect(desk.journal.totals(since: .noon).isEmpty)
        desk.journal.record(spoken("early", at: Timestamp.noon.adding(-1)))
        desk.journal.record(spoken("a", 10_065))
        desk.journal.record(spoken("b", 35, at: Timestamp.noon.adding(1)))
        desk.journal.record(spoken("c", 65, kind: .refund))
        // Heard in a summary.
        var summed = spoken("b", 35, at: Timestamp.noon.adding(1))
        summed.state = .expired
        desk.journal.record(summed)
        desk.journal.record(spoken("d", 500, "JPY"))
        desk.journal.record(.sample("unheard"))
        var order = spoken("order", kind: .order)
        order.amount = nil
        desk.journal.record(order)
        let cny = Total(currency: .cny, payments: 2, paid: 10_100, refunds: 1, refunded: 65)
        let jpy = try Total(currency: #require(Currency(code: "JPY")), payments: 1, paid: 500)
        for _ in 0..<2 {
            #expect(desk.journal.totals(since: .noon) == [cny, jpy])
            try desk.commit()
        }
        #expect(desk.journal.totals(since: Timestamp.noon.adding(1)).map(\.payments) == [1])
        // What is recorded again counts once.
        desk.journal.record(spoken("a", 10_065))
        #expect(desk.journal.totals(since: .noon) == [cny, jpy])
    }

    @Test func sumsNeverOverflow() throws {
        let desk = try Desk()
        defer { desk.remove() }
        let largest: UInt64 = 999_999_999_999_999
        for number in 0..<10_000 { desk.journal.record(spoken("n\(number)", largest)) }
        try desk.commit()
        // Beyond what 64 signed bits hold, and exact.
        #expect(desk.journal.totals(since: .noon).map(\.paid) == [largest * 10_000])
        for number in 10_000..<19_000 { desk.journal.record(spoken("n\(number)", largest)) }
        #expect(desk.journal.totals(since: .noon).map(\.paid) == [.max])
        try desk.commit()
        #expect(desk.journal.totals(since: .noon).map(\.paid) == [.max])
        #expect(desk.journal.totals(since: .noon).map(\.payments) == [19_000])
    }

    @Test func commitsUnderWayChangeNoAnswer() throws {
        var random = SeededGenerator()
        print("history: seed \(random.seed)")
        let desk = try Desk()
        defer { desk.remove() }
        var sum: UInt64 = 0
        for number in 0..<400 {
            let minorUnits = UInt64.random(in: 1...1000, using: &random)
            var notice = NoticeRecord.sample("n\(number)")
            desk.journal.record(notice)
            if Bool.random(using: &random) { desk.journal.commit(ticket: UInt64(number) + 1000, trustedTime: nil) }
            notice = spoken(notice.id, minorUnits)
            desk.journal.record(notice)
            if Bool.random(using: &random) { desk.journal.commit(ticket: UInt64(number) + 5000, trustedTime: nil) }
            sum += minorUnits
            #expect(desk.journal.totals(since: .noon).map(\.paid) == [sum])
            #expect(desk.journal.spokenPayment(back: 0)?.id == "n\(number)")
            #expect(desk.journal.spokenPayment(back: number)?.id == "n0")
        }
    }

    @Test(arguments: [
        (Reader.Query.byID, "INDEX sqlite_autoindex_notices_1"),
        (Reader.Query.accepted, "INDEX notices_accepted"),
        (Reader.Query.payments, "INDEX notices_payments"),
        (Reader.Query.money, "COVERING INDEX notices_money"),
        (Reader.Query.outbox, "INTEGER PRIMARY KEY"),
        (Reader.Query.setting, "PRIMARY KEY"),
    ]) func everyQuestionHasItsIndex(query: String, index: String) throws {
        let desk = try Desk()
        defer { desk.remove() }
        let connection = try Connection(path: desk.path, flags: SQLITE_OPEN_READONLY, patience: 100)
        let explanation = try connection.prepare("EXPLAIN QUERY PLAN \(query)")
        var steps: [String] = []
        while try explanation.step("explain") { steps.append(explanation.text(3) ?? "") }
        #expect(steps.first?.contains(index) == true, "\(steps)")
        #expect(!steps.contains { $0.contains("ORDER BY") })
    }

    @Test func placesLeadThroughWhatIsUnheard() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for number in 0..<7 {
            var notice = NoticeRecord.sample("n\(number)")
            if number == 3 { notice.state = .spoken }
            desk.journal.record(notice)
        }
        try desk.commit()
        var place: Int64 = 0
        var ids: [String] = []
        while true {
            let found = desk.journal.unspoken(after: place, limit: 2)
            guard let last = found.last else { break }
            #expect(found.count <= 2 && last.place > place)
            place = last.place
            ids += found.map(\.record.id)
        }
        #expect(ids == ["n0", "n1", "n2", "n4", "n5", "n6"])
    }
}
