import CSQLite
import SoundboxCore

/// A connection that reads, beside the one that writes: a write-ahead log lets neither wait for the other.
final class Reader {
    private let connection: Connection
    private let byID: Statement
    private let accepted: Statement
    private let payments: Statement
    private let received: Statement
    private let money: Statement
    private let outbox: Statement
    private let settings: Statement
    private let commands: Statement

    private static let columns =
        "id, state, reason, channel, amount, currency, paid_at, received_at, spoken_at, payload, kind"

    /// The questions that are asked while somebody waits for the sound, and their texts; each has its index.
    enum Query {
        static let byID = "SELECT \(columns) FROM notices WHERE id = ?1"
        static let accepted = """
            SELECT \(columns), number FROM notices INDEXED BY notices_accepted WHERE state = 'accepted' AND number > ?1
            ORDER BY number LIMIT ?2
            """
        static let payments = """
            SELECT \(columns) FROM notices WHERE state = 'spoken' AND kind = 'payment' ORDER BY number DESC
            """
        /// Sums in two parts: SQLite's sum() fails where 200,000 of the largest amounts leave its 64 bits.
        static let money = """
            SELECT currency, kind, count(*), sum(amount >> 20), sum(amount & 1048575) FROM notices
            WHERE amount IS NOT NULL AND spoken_at >= ?1 GROUP BY currency, kind
            """
        static let outbox = """
            SELECT number, topic, payload FROM outbox WHERE number > ?1 AND number <= ?2 ORDER BY number LIMIT ?3
            """
        static let setting = "SELECT value FROM settings WHERE key = ?1"
    }

    init(path: String) throws(JournalError) {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, patience: 100)
        byID = try connection.prepare(Query.byID)
        accepted = try connection.prepare(Query.accepted)
        payments = try connection.prepare(Query.payments)
        money = try connection.prepare(Query.money)
        outbox = try connection.prepare(Query.outbox)
        settings = try connection.prepare(Query.setting)
        received = try connection.prepare(
            "SELECT \(Reader.columns) FROM notices WHERE received_at >= ?1 ORDER BY number DESC LIMIT ?2")
        commands = try connection.prepare("SELECT id, reply FROM commands ORDER BY number")
    }

    func notice(id: String) throws(JournalError) -> NoticeRecord? {
        byID.bind(1, id)
        defer { byID.reset() }
        return try byID.step("read notice") ? Reader.notice(byID) : nil
    }

    func unspoken(after place: Int64, limit: Int) throws(JournalError) -> [FiledNotice] {
        accepted.bind(1, place)
        accepted.bind(2, Int64(limit))
        defer { accepted.reset() }
        var notices: [FiledNotice] = []
        while try accepted.step("read notices") {
            guard let notice = Reader.notice(accepted), let place = accepted.integer(11) else { continue }
            notices.append(FiledNotice(place: place, record: notice))
        }
        return notices
    }

    /// The payment before so many others that were spoken, those with `except` for their id's bytes left out.
    func spokenPayment(back: Int, except: Set<[UInt8]>) throws(JournalError) -> NoticeRecord? {
        defer { payments.reset() }
        var left = back
        while try payments.step("read payments") {
            guard let notice = Reader.notice(payments), !except.contains(Array(notice.id.utf8)) else { continue }
            if left == 0 { return notice }
            left -= 1
        }
        return nil
    }

    /// The newest notices that came in from a time on, the newest first.
    func notices(since: Timestamp, limit: Int) throws(JournalError) -> [NoticeRecord] {
        received.bind(1, since.milliseconds)
        received.bind(2, Int64(limit))
        defer { received.reset() }
        var notices: [NoticeRecord] = []
        while try received.step("read notices") {
            if let notice = Reader.notice(received) { notices.append(notice) }
        }
        return notices
    }

    /// The money that was spoken from a time on, and with it that of `pending`, rows that may be on the disk, too.
    func sums(since: Timestamp, with pending: [NoticeRecord] = []) throws(JournalError) -> Sums {
        // One view of the database for both questions, or a row could be counted by both or by none.
        try connection.execute("read sums", "BEGIN")
        defer { try? connection.execute("read sums", "COMMIT") }
        var sums = try sums(since: since)
        for notice in pending {
            if let stored = try self.notice(id: notice.id), stored.spokenAt != nil { continue }
            sums.add(notice)
        }
        return sums
    }

    private func sums(since: Timestamp) throws(JournalError) -> Sums {
        money.bind(1, since.milliseconds)
        defer { money.reset() }
        var sums = Sums()
        while try money.step("read sums") {
            guard let currency = money.text(0).flatMap(Currency.init(code:)),
                let kind = money.text(1).flatMap(NoticeRecord.Kind.init(rawValue:))
            else { continue }
            sums.add(
                currency, kind, count: Int(money.integer(2) ?? 0), high: UInt64(clamping: money.integer(3) ?? 0),
                low: UInt64(clamping: money.integer(4) ?? 0))
        }
        return sums
    }

    func commandRecords() throws(JournalError) -> [CommandRecord] {
        defer { commands.reset() }
        var records: [CommandRecord] = []
        while try commands.step("read commands") {
            records.append(CommandRecord(id: commands.text(0) ?? "", reply: commands.text(1) ?? ""))
        }
        return records
    }

    /// The receipts behind a number of the file's, up to another one.
    func receipts(after: Int64, through: Int64, limit: Int) throws(JournalError) -> [KeptReceipt] {
        outbox.bind(1, after)
        outbox.bind(2, through)
        outbox.bind(3, Int64(limit))
        defer { outbox.reset() }
        var receipts: [KeptReceipt] = []
        while try outbox.step("read receipts") {
            receipts.append(
                KeptReceipt(
                    number: outbox.integer(0) ?? 0, topic: outbox.text(1) ?? "", payload: outbox.text(2) ?? ""))
        }
        return receipts
    }

    /// The file's highest number of a receipt.
    func lastReceipt() throws(JournalError) -> Int64 {
        Int64(try connection.value("read receipts", "SELECT max(number) FROM outbox")) ?? 0
    }

    func setting(_ key: String) throws(JournalError) -> String? {
        settings.bind(1, key)
        defer { settings.reset() }
        return try settings.step("read setting") ? settings.text(0) : nil
    }

    /// The row under the cursor; nil where a damaged file has made nonsense of it.
    private static func notice(_ row: borrowing Statement) -> NoticeRecord? {
        guard let id = row.text(0), let state = row.text(1).flatMap(NoticeRecord.State.init(rawValue:)),
            let receivedAt = row.integer(7), let kind = row.text(10).flatMap(NoticeRecord.Kind.init(rawValue:))
        else { return nil }
        var amount: Amount?
        if let minorUnits = row.integer(4), let currency = row.text(5).flatMap(Currency.init(code:)) {
            amount = Amount(minorUnits: UInt64(clamping: minorUnits), currency: currency)
        }
        return NoticeRecord(
            id: id, kind: kind, state: state, reason: row.text(2), channel: row.text(3), amount: amount,
            paidAt: row.integer(6).map(Timestamp.init(milliseconds:)),
            receivedAt: Timestamp(milliseconds: receivedAt),
            spokenAt: row.integer(8).map(Timestamp.init(milliseconds:)), payload: row.bytes(9))
    }
}
