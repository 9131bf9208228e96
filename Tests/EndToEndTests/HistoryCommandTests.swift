import Foundation
import SoundboxCore
import SoundboxJournal
import TestBroker
import Testing

/// `soundbox history` and `soundbox total` beside a journal that is being written.
@Suite(.timeLimit(.minutes(5)))
final class HistoryCommandTests {
    private let folder: URL
    private let configuration: String
    private let journal: Journal

    init() throws {
        folder = try temporaryFolder("history")
        configuration = folder.appendingPathComponent("box.conf").path
        try """
        [box]
        id = b1
        timezone = Asia/Shanghai
        state_dir = \(folder.path)

        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        journal = try Journal(path: folder.appendingPathComponent("journal.db").path) { _ in }
    }

    deinit {
        journal.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Two minutes before midnight in Shanghai, and two minutes after.
    private let evening = "2026-11-30T15:58:00Z"
    private let night = "2026-11-30T16:02:00Z"

    private func record(
        _ id: String, _ state: NoticeRecord.State, _ kind: NoticeRecord.Kind = .payment, _ amount: String? = nil,
        _ currency: String = "CNY", at time: String, reason: String? = nil, channel: String? = nil
    ) throws {
        let time = try #require(Timestamp(parsing: time))
        let money = try #require(Currency(code: currency))
        journal.record(
            NoticeRecord(
                id: id, kind: kind, state: state, reason: reason, channel: channel,
                amount: try amount.map { try Amount(parsing: $0, currency: money) }, receivedAt: time,
                spokenAt: state == .spoken ? time : nil))
    }

    private func fill() throws {
        try record("early", .spoken, .payment, "1.00", at: evening, channel: "alipay")
        try record("a", .spoken, .payment, "100.65", at: night, channel: "wechat")
        try record("b", .spoken, .payment, "0.35", at: night)
        try record("c", .spoken, .refund, "1.00", at: night)
        try record("d", .spoken, .payment, "500", "JPY", at: night)
        try record("e", .spoken, .refund, "600", "JPY", at: night)
        try record("f", .failed, .payment, "7.00", at: night, reason: "muted")
        try record("g\u{1B}[2J", .accepted, .order, at: night)
        journal.commit(ticket: 1, trustedTime: nil)
        journal.stop()
    }

    @Test(
        "History prints what the journal holds, the oldest first, in the box's time zone and without control characters"
    )
    func history() throws {
        try fill()
        let all = try soundbox("history", "--config", configuration)
        #expect(all.status == 0 && all.errors.isEmpty, "\(all)")
        #expect(
            all.output == """
                2026-11-30 23:58:00  spoken    alipay    1.00 CNY        early
                2026-12-01 00:02:00  spoken    wechat    100.65 CNY      a
                2026-12-01 00:02:00  spoken              0.35 CNY        b
                2026-12-01 00:02:00  spoken              -1.00 CNY       c
                2026-12-01 00:02:00  spoken              500 JPY         d
                2026-12-01 00:02:00  spoken              -600 JPY        e
                2026-12-01 00:02:00  failed              7.00 CNY        f  (muted)
                2026-12-01 00:02:00  accepted            order           g\\u{1b}[2J

                """)
        let newest = try soundbox("history", "--limit", "1", "--json", "--config", configuration)
        #expect(
            newest.output
                == #"{"id":"g\u001b[2J","kind":"order","state":"accepted","receivedAt":"2026-11-30T16:02:00.000Z"}"#
                + "\n")
        for since in ["2026-12-01", "2026-12-01T00:00:00+08:00"] {
            let today = try soundbox("history", "--since", since, "--json", "--config", configuration)
            let lines = today.output.split(separator: "\n")
            #expect(lines.count == 7)
            #expect(
                lines.first == """
                    {"id":"a","kind":"payment","state":"spoken","channel":"wechat","amount":"100.65","currency":"CNY",\
                    "receivedAt":"2026-11-30T16:02:00.000Z","spokenAt":"2026-11-30T16:02:00.000Z"}
                    """)
        }
    }

    @Test("Total sums up what was spoken, per currency, refunds subtracted")
    func total() throws {
        try fill()
        let day = try soundbox("total", "--since", "2026-12-01", "--config", configuration)
        #expect(
            day.output == """
                CNY 100.00  2 payments 101.00  1 refund 1.00
                JPY -100  1 payment 500  1 refund 600

                """)
        let json = try soundbox("total", "--since", "2026-11-30", "--json", "--config", configuration)
        #expect(
            json.output == """
                {"since":"2026-11-29T16:00:00.000Z","totals":[\
                {"currency":"CNY","total":"101.00","payments":3,"paid":"102.00","refunds":1,"refunded":"1.00"},\
                {"currency":"JPY","total":"-100","payments":1,"paid":"500","refunds":1,"refunded":"600"}]}

                """)
        let later = try soundbox("total", "--since", "2027-01-01", "--config", configuration)
        #expect(later.output == "Nothing was spoken since 2027-01-01 00:00:00.\n")
    }

    @Test("They read beside a daemon that writes, and what is spoken now belongs to today")
    func besideADaemon() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"8.88"}"#)
        try backend.receipt("n1", "spoken")
        let total = try soundbox("total", "--since", "2020-01-01", "--config", daemon.configuration)
        #expect(total.output == "CNY 8.88  1 payment\n", "\(total)")
        let history = try soundbox("history", "--config", daemon.configuration)
        #expect(history.output.hasSuffix("8.88 CNY        n1\n"), "\(history)")
        try backend.pay(#"{"id":"n2","amount":"1.12"}"#)
        try backend.receipt("n2", "spoken")
    }

    @Test("What is missing is named")
    func errors() throws {
        let nothing = try soundbox("history", "--config", "\(folder.path)/none.conf")
        #expect(nothing.status == 1 && nothing.errors.hasPrefix("soundbox: configuration: "), "\(nothing)")
        journal.stop()
        try FileManager.default.removeItem(atPath: "\(folder.path)/journal.db")
        for command in ["history", "total"] {
            let result = try soundbox(command, "--config", configuration)
            #expect(result.status == 1)
            #expect(
                result.errors == "soundbox: journal: open \(folder.path)/journal.db: No such file or directory\n")
            let odd = try soundbox(command, "--since", "yesterday", "--config", configuration)
            #expect(odd.status == 2)
            #expect(odd.errors.hasPrefix("soundbox: --since yesterday: a date is wanted"), "\(odd)")
        }
        try Data("no database at all, but long enough to be one".utf8)
            .write(to: folder.appendingPathComponent("journal.db"))
        let damaged = try soundbox("total", "--config", configuration)
        #expect(damaged.status == 1 && damaged.errors.contains("file is not a database"), "\(damaged)")
    }
}
