// What of sqlite3.h does not import into Swift: SQLITE_TRANSIENT is a cast of -1 to a function pointer.
#pragma once
#include <sqlite3.h>

/// Binds a copy of `bytes` bytes of UTF-8. sqlite3_bind_text.
static inline int soundbox_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/// Binds a copy of `bytes` bytes. sqlite3_bind_blob.
static inline int soundbox_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *data, int bytes) {
    return sqlite3_bind_blob(statement, index, data, bytes, SQLITE_TRANSIENT);
}
