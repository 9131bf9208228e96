import CSQLite
import Glibc
import SoundboxCore

/// A journal looked at from outside, whether a daemon writes it at the time or not; nothing is changed. One thread.
public final class JournalView {
    private let reader: Reader

    /// Opens the file.
    ///
    /// - Throws: where there is none, it may not be read, or it is of another version of this program.
    public init(path: String) throws(JournalError) {
        // SQLite would only say that it cannot.
        guard access(path, R_OK) == 0 else { throw JournalError(errno: "open \(path)") }
        let version = try Connection(path: path, flags: SQLITE_OPEN_READONLY, patience: 1000)
            .value("read schema version", "PRAGMA user_version")
        guard version == String(JournalFile.migrations.count) else {
            throw JournalError(
                "open \(path)", code: JournalError.futureSchema,
                text: "it has schema \(version), this program reads \(JournalFile.migrations.count)")
        }
        reader = try Reader(path: path)
    }

    /// The newest notices, at most `limit` of those that came in from a time on, the oldest first.
    public func notices(since: Timestamp, limit: Int) throws(JournalError) -> [NoticeRecord] {
        try reader.notices(since: since, limit: limit).reversed()
    }

    /// Counts and sums of what was spoken from a time on, in the order of the currencies' codes.
    public func totals(since: Timestamp) throws(JournalError) -> [Total] {
        try reader.sums(since: since).totals
    }
}
