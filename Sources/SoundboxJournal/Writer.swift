import CSQLite
import SoundboxCore

/// The connection that writes, on the journal thread.
final class Writer {
    /// What goes to the disk in one transaction.
    struct Batch {
        var rows: Backlog
        /// Numbers of the receipts that the broker has.
        var delivered: Set<Int64>
        /// What is to be added to a receipt's number for the file's.
        var receiptBase: Int64
        /// What notices are too old by; nil while no clock is to be believed.
        var trustedTime: Timestamp?

        var isEmpty: Bool { rows.isEmpty && delivered.isEmpty }
    }

    private let connection: Connection
    private let upsertNotice: Statement
    private let upsertCommand: Statement
    private let upsertSetting: Statement
    private let insertReceipt: Statement
    private let deleteReceipt: Statement
    private let pruneNotices: Statement
    private let pruneCommands: Statement
    private let pruneReceipts: Statement

    init(path: String) throws(JournalError) {
        connection = try JournalFile.open(path)
        upsertNotice = try connection.prepare(
            """
            INSERT INTO notices
                (id, state, reason, channel, amount, currency, paid_at, received_at, spoken_at, payload, kind)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (id) DO UPDATE SET
                state = ?2, reason = ?3, channel = ?4, amount = ?5, currency = ?6, paid_at = ?7, received_at = ?8,
                spoken_at = ?9, payload = ?10, kind = ?11
            """)
        upsertCommand = try connection.prepare(
            "INSERT INTO commands (id, reply) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET reply = ?2")
        upsertSetting = try connection.prepare(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")
        // What a commit has written although it reported an error is written again.
        insertReceipt = try connection.prepare(
            "INSERT OR REPLACE INTO outbox (number, topic, payload) VALUES (?1, ?2, ?3)")
        deleteReceipt = try connection.prepare("DELETE FROM outbox WHERE number = ?1")
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
        pruneReceipts = try connection.prepare(
            "DELETE FROM outbox WHERE number <= (SELECT max(number) FROM outbox) - ?1")
    }

    /// Writes all rows and prunes, in one transaction; after an error nothing of it is written.
    ///
    /// - Returns: how many receipts were given up, since the broker has been away for too long.
    func commit(_ batch: Batch, limits: Journal.Limits) throws(JournalError) -> Int {
        do {
            try connection.execute("begin", "BEGIN IMMEDIATE")
            try write(batch)
            let lost = try prune(batch.trustedTime, limits: limits)
            try connection.execute("commit", "COMMIT")
            return lost
        } catch {
            if connection.isInTransaction { try? connection.execute("roll back", "ROLLBACK") }
            throw error
        }
    }

    private func write(_ batch: Batch) throws(JournalError) {
        let rows = batch.rows
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
        for (key, value) in rows.settings {
            upsertSetting.bind(1, key)
            upsertSetting.bind(2, value)
            try upsertSetting.run("write setting")
        }
        for receipt in rows.receipts {
            insertReceipt.bind(1, receipt.number + batch.receiptBase)
            insertReceipt.bind(2, receipt.topic)
            insertReceipt.bind(3, receipt.payload)
            try insertReceipt.run("write receipt")
        }
        for number in batch.delivered {
            deleteReceipt.bind(1, number + batch.receiptBase)
            try deleteReceipt.run("delete receipt")
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
        upsertNotice.bind(11, notice.kind.rawValue)
        try upsertNotice.run("write notice")
    }

    private func prune(_ time: Timestamp?, limits: Journal.Limits) throws(JournalError) -> Int {
        pruneNotices.bind(1, Int64(limits.pruneStep))
        pruneNotices.bind(2, Int64(limits.notices))
        pruneNotices.bind(3, time.map { $0.milliseconds - limits.age } ?? .min)
        try pruneNotices.run("prune notices")
        pruneCommands.bind(1, Int64(limits.commands))
        try pruneCommands.run("prune commands")
        pruneReceipts.bind(1, Int64(limits.receipts))
        try pruneReceipts.run("prune receipts")
        return connection.changes
    }
}
