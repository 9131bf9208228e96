import CSQLite
import SoundboxCore

/// The connection that writes, on the journal thread.
final class Writer {
    private let connection: Connection
    private let upsertNotice: Statement
    private let upsertCommand: Statement
    private let pruneNotices: Statement
    private let pruneCommands: Statement

    init(path: String) throws(JournalError) {
        connection = try JournalFile.open(path)
        upsertNotice = try connection.prepare(
            """
            INSERT INTO notices
                (id, state, reason, channel, amount, currency, paid_at, received_at, spoken_at, payload)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET
                state = ?2, reason = ?3, channel = ?4, amount = ?5, currency = ?6, paid_at = ?7, received_at = ?8,
                spoken_at = ?9, payload = ?10
            """)
        upsertCommand = try connection.prepare(
            "INSERT INTO commands (id, reply) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET reply = ?2")
        // Looks only at the oldest rows, so that its cost does not grow with the journal. What nobody has heard yet is
        // not too old: a box whose clock stood at 1970 would forget it.
        pruneNotices = try connection.prepare(
            """
            DELETE FROM notices WHERE number IN (
                SELECT number FROM (SELECT number, state, received_at FROM notices ORDER BY number LIMIT ?1)
                WHERE number <= (SELECT max(number) FROM notices) - ?2 OR (received_at < ?3 AND state <> 'accepted'))
            """)
        pruneCommands = try connection.prepare(
            "DELETE FROM commands WHERE number <= (SELECT max(number) FROM commands) - ?1")
    }

    /// Writes all rows and prunes, in one transaction; after an error nothing of it is written.
    func commit(_ rows: Backlog, now: Timestamp, limits: Journal.Limits) throws(JournalError) {
        do {
            try connection.execute("begin", "BEGIN IMMEDIATE")
            for key in rows.noticeOrder {
                guard let notice = rows.notices[key] else { continue }
                try write(notice)
            }
            for key in rows.commandOrder {
                guard let command = rows.commands[key] else { continue }
                upsertCommand.bind(1, command.id)
                upsertCommand.bind(2, command.reply)
                try upsertCommand.run("write command")
            }
            pruneNotices.bind(1, Int64(limits.pruneStep))
            pruneNotices.bind(2, Int64(limits.notices))
            pruneNotices.bind(3, now.milliseconds - limits.age)
            try pruneNotices.run("prune notices")
            pruneCommands.bind(1, Int64(limits.commands))
            try pruneCommands.run("prune commands")
            try connection.execute("commit", "COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("roll back", "ROLLBACK") }
            throw error
        }
    }

    private func write(_ notice: NoticeRecord) throws(JournalError) {
        upsertNotice.bind(1, notice.id)
        upsertNotice.bind(2, notice.state.rawValue)
        upsertNotice.bind(3, notice.reason)
        upsertNotice.bind(4, notice.channel)
        upsertNotice.bind(5, notice.amount.map { Int64(clamping: $0.minorUnits) })
        upsertNotice.bind(6, notice.amount?.currency.code)
        upsertNotice.bind(7, notice.paidAt?.milliseconds)
        upsertNotice.bind(8, notice.receivedAt.milliseconds)
        upsertNotice.bind(9, notice.spokenAt?.milliseconds)
        upsertNotice.bind(10, notice.payload)
        try upsertNotice.run("write notice")
    }
}
