import CSQLite
import SoundboxCore

/// The connection that reads, beside the one that writes: a write-ahead log lets neither wait for the other.
final class Reader {
    private let connection: Connection
    private let byID: Statement
    private let accepted: Statement
    private let replies: Statement

    private static let columns =
        "id, state, reason, channel, amount, currency, paid_at, received_at, spoken_at, payload"

    init(path: String) throws(JournalError) {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, patience: 100)
        byID = try connection.prepare("SELECT \(Reader.columns) FROM notices WHERE id = ?1")
        accepted = try connection.prepare(
            """
            SELECT \(Reader.columns), number FROM notices WHERE state = 'accepted' AND number > ?1
            ORDER BY number LIMIT ?2
            """)
        replies = try connection.prepare("SELECT id, reply FROM commands ORDER BY number")
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
            guard let notice = Reader.notice(accepted), let place = accepted.integer(10) else { continue }
            notices.append(FiledNotice(place: place, record: notice))
        }
        return notices
    }

    func commands() throws(JournalError) -> [CommandRecord] {
        defer { replies.reset() }
        var commands: [CommandRecord] = []
        while try replies.step("read commands") {
            commands.append(CommandRecord(id: replies.text(0) ?? "", reply: replies.text(1) ?? ""))
        }
        return commands
    }

    /// The row under the cursor; nil where a damaged file has made nonsense of it.
    private static func notice(_ row: borrowing Statement) -> NoticeRecord? {
        guard let id = row.text(0), let state = row.text(1).flatMap(NoticeRecord.State.init(rawValue:)),
            let receivedAt = row.integer(7)
        else { return nil }
        var amount: Amount?
        if let minorUnits = row.integer(4), let currency = row.text(5).flatMap(Currency.init(code:)) {
            amount = Amount(minorUnits: UInt64(clamping: minorUnits), currency: currency)
        }
        return NoticeRecord(
            id: id, state: state, reason: row.text(2), channel: row.text(3), amount: amount,
            paidAt: row.integer(6).map(Timestamp.init(milliseconds:)),
            receivedAt: Timestamp(milliseconds: receivedAt),
            spokenAt: row.integer(8).map(Timestamp.init(milliseconds:)), payload: row.bytes(9))
    }
}
