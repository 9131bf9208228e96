import Glibc
import SoundboxCore
import SoundboxJournal
import SoundboxPlatform
import SoundboxRuntime

extension Option {
    fileprivate static let since = Option(
        "since", "TIME", "from this time on: 2026-11-30 in the box's time zone, or 2026-11-30T10:11:12+08:00")
}

extension Subcommand {
    /// Shows what came in and what became of it.
    static let history = Subcommand(
        name: "history", synopsis: "[OPTION]…",
        summary: "Print the notices that the box's journal holds, the oldest first, whether the daemon runs or not.",
        options: [
            .since, Option("limit", "N", "the newest N of them (default 20, and with --since all)"),
            Option("json", nil, "print a JSON object a line"), .config,
        ]
    ) { (arguments) throws(Failure) in
        let limit = try arguments.integer("limit", in: 1...1_000_000)
        let configuration = try arguments.configurationOfJournal()
        let since = try arguments.since()
        do throws(JournalError) {
            let notices = try JournalView(path: configuration.journalFile).notices(
                since: since ?? Timestamp(milliseconds: .min), limit: limit ?? (since == nil ? 20 : .max))
            for notice in notices { Console.print(arguments.has("json") ? json(notice).text : line(notice)) }
        } catch {
            throw Failure("journal", error)
        }
        return 0
    }

    private static func line(_ notice: NoticeRecord) -> String {
        var what = notice.amount.map { "\($0.decimalText) \($0.currency.code)" } ?? notice.kind.rawValue
        if notice.kind == .refund { what = "-\(what)" }
        var parts = [
            LocalClock.text(notice.receivedAt), notice.state.rawValue.padded(to: 8),
            (notice.channel ?? "").padded(to: 8), what.padded(to: 14), notice.id,
        ]
        if let reason = notice.reason { parts.append("(\(reason))") }
        // Ids and channels are somebody else's text.
        return Log.escaped(parts.joined(separator: "  "))
    }

    private static func json(_ notice: NoticeRecord) -> JSON {
        var members: [JSON.Member] = [
            .init("id", .string(notice.id)), .init("kind", .string(notice.kind.rawValue)),
            .init("state", .string(notice.state.rawValue)),
        ]
        if let reason = notice.reason { members.append(.init("reason", .string(reason))) }
        if let channel = notice.channel { members.append(.init("channel", .string(channel))) }
        if let amount = notice.amount {
            members += [
                .init("amount", .string(amount.decimalText)), .init("currency", .string(amount.currency.code)),
            ]
        }
        if let paidAt = notice.paidAt { members.append(.init("paidAt", .string(paidAt.text))) }
        members.append(.init("receivedAt", .string(notice.receivedAt.text)))
        if let spokenAt = notice.spokenAt { members.append(.init("spokenAt", .string(spokenAt.text))) }
        return .object(members)
    }

    /// Shows what was heard, in sums.
    static let total = Subcommand(
        name: "total", synopsis: "[OPTION]…",
        summary: "Print count and sum of the payments that were spoken today, per currency, refunds subtracted.",
        options: [.since, Option("json", nil, "print JSON"), .config]
    ) { (arguments) throws(Failure) in
        let configuration = try arguments.configurationOfJournal()
        let since = try arguments.since() ?? LocalClock.read(SystemClock.wall).midnight
        let totals: [Total]
        do throws(JournalError) {
            totals = try JournalView(path: configuration.journalFile).totals(since: since)
        } catch {
            throw Failure("journal", error)
        }
        if arguments.has("json") {
            Console.print(
                JSON.object([.init("since", .string(since.text)), .init("totals", .array(totals.map(json)))]).text)
        } else {
            if totals.isEmpty { Console.print("Nothing was spoken since \(LocalClock.text(since)).") }
            totals.map(line).forEach(Console.print)
        }
        return 0
    }

    private static func line(_ total: Total) -> String {
        func count(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        var parts = ["\(total.currency.code) \(total.netText)", count(total.payments, "payment")]
        if total.refunds > 0 {
            parts[1] += " \(total.currency.decimalText(total.paid))"
            parts.append("\(count(total.refunds, "refund")) \(total.currency.decimalText(total.refunded))")
        }
        return parts.joined(separator: "  ")
    }

    private static func json(_ total: Total) -> JSON {
        .object([
            .init("currency", .string(total.currency.code)), .init("total", .string(total.netText)),
            .init("payments", JSON(total.payments)), .init("paid", .string(total.currency.decimalText(total.paid))),
            .init("refunds", JSON(total.refunds)),
            .init("refunded", .string(total.currency.decimalText(total.refunded))),
        ])
    }
}

extension Arguments {
    /// The configuration of a box, whose time zone becomes this process's.
    fileprivate func configurationOfJournal() throws(Failure) -> Configuration {
        guard operands.isEmpty else { throw .usage("\(operands[0]): no operand is taken") }
        let configuration = try boxConfiguration()
        if let zone = configuration.box.timeZone { LocalClock.setZone(zone) }
        return configuration
    }

    fileprivate func since() throws(Failure) -> Timestamp? {
        guard let text = self["since"] else { return nil }
        guard let time = Timestamp(parsing: text) ?? LocalClock.midnight(of: text) else {
            throw .usage("--since \(text): a date is wanted, or a date and time with an offset")
        }
        return time
    }
}

extension LocalClock {
    /// `2026-11-30 10:11:12`. localtime_r(3).
    fileprivate static func text(_ time: Timestamp) -> String {
        var seconds = time_t(time.milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func pad(_ value: Int32, _ width: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(pad(parts.tm_year + 1900, 4))-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday)) "
            + "\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec))"
    }

    /// When the day of `2026-11-30` begins; nil for what is no date.
    fileprivate static func midnight(of date: String) -> Timestamp? {
        guard let noon = Timestamp(parsing: "\(date)T12:00:00Z") else { return nil }
        // The day is right in UTC, whose noon may lie in the day before or after here.
        var seconds = time_t(noon.milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        parts.tm_hour = 0
        parts.tm_isdst = -1
        return Timestamp(milliseconds: Int64(mktime(&parts)) * 1000)
    }
}
