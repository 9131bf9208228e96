import CSQLite
import Glibc

/// A database connection (`sqlite3`). One thread at a time.
struct Connection: ~Copyable {
    private let handle: OpaquePointer

    /// Opens an existing file. `sqlite3_open_v2`.
    ///
    /// - Parameter patience: milliseconds to wait for a lock that another connection holds.
    init(path: String, flags: Int32, patience: Int32) throws(JournalError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let error = JournalError("open", of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, patience)
        // In KiB; SQLite's own 2 MB a connection would be a tenth of all the memory that the box has to do with. What is not
        // there comes from the system's cache.
        sqlite3_exec(handle, "PRAGMA cache_size = -512", nil, nil, nil)
    }

    deinit {
        // Not sqlite3_close, which refuses while a statement is left.
        sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters. `sqlite3_exec`.
    func execute(_ operation: String, _ sql: String) throws(JournalError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw JournalError(operation, of: handle)
        }
    }

    /// Whether a transaction was begun and neither committed nor rolled back, by us or by SQLite itself after an error.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Rows that the last statement inserted, changed or deleted. `sqlite3_changes`.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// `sqlite3_prepare_v3`.
    func prepare(_ sql: String) throws(JournalError) -> Statement {
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw JournalError("prepare", of: handle) }
        return Statement(statement)
    }

    /// The first column of a query's first row.
    func value(_ operation: String, _ sql: String) throws(JournalError) -> String {
        let statement = try prepare(sql)
        guard try statement.step(operation) else { return "" }
        return statement.text(0) ?? ""
    }
}

/// A prepared statement (`sqlite3_stmt`), for use again and again.
struct Statement: ~Copyable {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds parameter `index`, counted from 1; nil is NULL.
    func bind(_ index: Int32, _ value: String?) {
        guard let value else { return bindNull(index) }
        soundbox_sqlite_bind_text(handle, index, value, Int32(clamping: value.utf8.count))
    }

    /// Binds parameter `index`; nil is NULL.
    func bind(_ index: Int32, _ value: Int64?) {
        guard let value else { return bindNull(index) }
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds parameter `index`.
    func bind(_ index: Int32, _ value: [UInt8]) {
        if value.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            _ = soundbox_sqlite_bind_blob(handle, index, value, Int32(clamping: value.count))
        }
    }

    private func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    /// Runs to the next row; false when there is none. `sqlite3_step`.
    func step(_ operation: String) throws(JournalError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw JournalError(operation, of: sqlite3_db_handle(handle))
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    func run(_ operation: String) throws(JournalError) {
        defer { reset() }
        _ = try step(operation)
    }

    /// Ends the statement's use, and with it the view of the database that a reader holds. `sqlite3_reset`.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Column `index`, counted from 0, as text; nil for NULL.
    func text(_ index: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, index) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Column `index`; nil for NULL.
    func integer(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }

    /// Column `index`; empty for NULL.
    func bytes(_ index: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(handle, index)
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
