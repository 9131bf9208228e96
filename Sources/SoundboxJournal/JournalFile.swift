import CSQLite
import Glibc

/// The journal's file: how it is opened, what is in it, and what happens to one that is damaged.
enum JournalFile {
    /// What each version of the schema adds to the one before; the count is the version, kept in `user_version`.
    ///
    /// `number` is the order in which notices were first recorded, and what they are pruned by.
    static let migrations = [
        """
        CREATE TABLE notices (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL,
            reason TEXT,
            channel TEXT,
            amount INTEGER,
            currency TEXT,
            paid_at INTEGER,
            received_at INTEGER NOT NULL,
            spoken_at INTEGER,
            payload BLOB NOT NULL
        ) STRICT;
        CREATE INDEX notices_accepted ON notices (number) WHERE state = 'accepted';
        CREATE TABLE commands (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            reply TEXT NOT NULL
        ) STRICT;
        """,
        // What a notice was about is in its payload, which is kept until it is final. Of the others it can only be said
        // that nothing but payments and refunds has an amount, and that refunds are rare.
        """
        ALTER TABLE notices ADD COLUMN kind TEXT NOT NULL DEFAULT 'payment';
        UPDATE notices SET kind = 'order' WHERE amount IS NULL;
        UPDATE notices SET kind = json_extract(CAST(payload AS TEXT), '$.kind')
            WHERE CASE WHEN json_valid(CAST(payload AS TEXT)) THEN json_extract(CAST(payload AS TEXT), '$.kind') END
                IN ('refund', 'order', 'text', 'prompt');
        CREATE INDEX notices_payments ON notices (number) WHERE state = 'spoken' AND kind = 'payment';
        CREATE INDEX notices_money ON notices (spoken_at, currency, kind, amount)
            WHERE amount IS NOT NULL AND spoken_at IS NOT NULL;
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY,
            topic TEXT NOT NULL,
            payload TEXT NOT NULL
        ) STRICT;
        CREATE TABLE settings (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Opens the file for writing, making it where there is none, checks it and brings its schema up to date.
    static func open(_ path: String) throws(JournalError) -> Connection {
        // SQLite would make it readable for everybody; -wal and -shm take over its mode.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw JournalError(errno: "open") }
        close(descriptor)
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, patience: 1000)
        // FULL syncs the write-ahead log at each commit: what is committed survives the pulled plug.
        try connection.execute(
            "open",
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON;
            PRAGMA journal_size_limit = 4194304;
            """)
        let version = Int(try connection.value("read schema version", "PRAGMA user_version")) ?? 0
        // No program comes to a thousand versions; that is a flipped bit.
        guard (0..<1000).contains(version) else {
            throw JournalError("check", code: SQLITE_CORRUPT, text: "schema version \(version)")
        }
        guard version <= migrations.count else {
            throw JournalError(
                "open", code: JournalError.futureSchema,
                text: "\(path) has schema \(version), this program knows up to \(migrations.count)")
        }
        // The full check, for about a second: the quick one does not see an index that has lost a row, and a notice
        // that is not found by its id is spoken twice.
        let verdict = try connection.value("check", "PRAGMA integrity_check(1)")
        guard verdict == "ok" else { throw JournalError("check", code: SQLITE_CORRUPT, text: verdict) }
        do {
            try connection.execute("migrate", "BEGIN IMMEDIATE")
            for (index, migration) in migrations.enumerated().dropFirst(version) {
                try connection.execute("migrate", migration + "PRAGMA user_version = \(index + 1);")
            }
            try connection.execute("migrate", "COMMIT")
        } catch {
            // The file was just opened for writing: it is its own header that forbids it.
            if error.code == SQLITE_READONLY { throw JournalError("check", code: SQLITE_CORRUPT, text: error.text) }
            throw error
        }
        return connection
    }

    /// Renames a damaged file, with its write-ahead log, and returns its new name. The last of nine is replaced, so
    /// that a card that destroys everything is not filled up, too.
    static func moveAside(_ path: String) throws(JournalError) -> String {
        let names = (1...9).map { "\(path).corrupt-\($0)" }
        let name = names.first { access($0, F_OK) != 0 } ?? "\(path).corrupt-9"
        guard rename(path, name) == 0 else { throw JournalError(errno: "move aside") }
        for suffix in ["-wal", "-shm"] where rename(path + suffix, name + suffix) != 0 && errno != ENOENT {
            throw JournalError(errno: "move aside")
        }
        return name
    }
}
