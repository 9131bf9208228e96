import CSQLite
import Glibc

/// A call of SQLite or of the system that failed.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was being done: `open`, `commit`, …
    public let operation: String
    /// The extended result code of SQLite; `SQLITE_CANTOPEN` with the system's reason in `text` where SQLite was not
    /// reached, and `futureSchema`.
    public let code: Int32
    /// What SQLite or the system says about it (`sqlite3_errmsg`, `strerror`).
    public let text: String

    /// The code of a file whose schema is of a later version of this program; none of SQLite's.
    public static let futureSchema: Int32 = -1

    /// `operation: text`.
    public var description: String { "\(operation): \(text)" }

    init(_ operation: String, code: Int32, text: String) {
        self.operation = operation
        self.code = code
        self.text = text
    }

    /// The last error of a connection.
    init(_ operation: String, of connection: OpaquePointer?) {
        self.init(
            operation, code: sqlite3_extended_errcode(connection), text: String(cString: sqlite3_errmsg(connection)))
    }

    /// The system call that just failed.
    init(errno operation: String) {
        self.init(operation, code: SQLITE_CANTOPEN, text: String(cString: strerror(errno)))
    }

    /// Whether the file's content is at fault. What the surroundings do to it (no space, no permission, a failing card)
    /// may pass; anything else, with statements that are known to be right, means that the file is not what it was.
    var isDamage: Bool {
        guard code != JournalError.futureSchema else { return false }
        switch code & 0xFF {
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_PERM, SQLITE_NOMEM, SQLITE_BUSY, SQLITE_LOCKED,
            SQLITE_PROTOCOL, SQLITE_NOLFS, SQLITE_INTERRUPT, SQLITE_AUTH, SQLITE_TOOBIG, SQLITE_MISUSE:
            return false
        case SQLITE_IOERR:
            // SQLITE_IOERR_SHORT_READ and SQLITE_IOERR_CORRUPTFS, which do not import.
            return code >> 8 == 2 || code >> 8 == 33
        default: return true
        }
    }
}
