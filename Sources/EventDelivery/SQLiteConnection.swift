import CSQLite

/// A connection to a database of SQLite, which one thread uses at a time.
struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer

    /// Opens an existing database.
    ///
    /// - Parameters:
    ///   - path: The database's file.
    ///   - patience: The time that a statement waits for a program that has the database locked.
    /// - Throws: `SQLiteError` if there is no database at the path.
    init(path: String, patience: Duration) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(code, handle)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, Int32(clamping: Int64(patience / .milliseconds(1))))
    }

    deinit { sqlite3_close_v2(handle) }

    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteError(code, handle) }
        return SQLiteStatement(handle: statement, connection: handle)
    }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its question marks.
    ///   - read: Reads a row of the result.
    /// - Returns: The results of `read`, one for each row.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func run<Value>(
        _ sql: String,
        _ values: [SQLiteValue] = [],
        read: (SQLiteRow) -> Value = { _ in }
    ) throws(SQLiteError) -> [Value] {
        try prepare(sql).run(values, read: read)
    }

    /// Runs a block in a transaction, which is rolled back if the block throws.
    func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try run("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some failures have ended the transaction already.
            _ = try? run("ROLLBACK")
            throw error
        }
    }
}

/// A statement that is ready to run, while its connection is open.
struct SQLiteStatement: ~Copyable {
    fileprivate let handle: OpaquePointer
    fileprivate let connection: OpaquePointer

    deinit { sqlite3_finalize(handle) }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - values: The values of its question marks.
    ///   - read: Reads a row of the result.
    /// - Returns: The results of `read`, one for each row.
    /// - Throws: `SQLiteError`.
    @discardableResult
    func run<Value>(
        _ values: [SQLiteValue] = [],
        read: (SQLiteRow) -> Value = { _ in }
    ) throws(SQLiteError) -> [Value] {
        defer { sqlite3_reset(handle) }
        for (index, value) in values.enumerated() {
            let code = value.bind(to: handle, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code, connection) }
        }
        var result: [Value] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: result.append(read(SQLiteRow(handle: handle)))
            case SQLITE_DONE: return result
            case let code: throw SQLiteError(code, connection)
            }
        }
    }
}

/// The row at which a statement stands; columns are counted from 0.
struct SQLiteRow {
    fileprivate let handle: OpaquePointer

    /// The integer in a column; nil if there is something else, since a column may hold values of any type.
    subscript(column: Int32) -> Int? {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER ? Int(sqlite3_column_int64(handle, column)) : nil
    }

    subscript(column: Int32) -> String? {
        guard let text = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}

/// A value for a question mark of a statement.
enum SQLiteValue {
    case integer(Int)
    case text(String)
    case null

    init(_ integer: Int?) { self = integer.map(SQLiteValue.integer) ?? .null }
    init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .null }

    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .integer(let value): return sqlite3_bind_int64(statement, index, Int64(value))
        case .null: return sqlite3_bind_null(statement, index)
        case .text(var text):
            // SQLite makes a copy before the call returns: SQLITE_TRANSIENT, a macro that Swift does not import.
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text64(statement, index, $0.baseAddress, UInt64($0.count), copies, UInt8(SQLITE_UTF8))
                }
            }
        }
    }
}

/// A failure of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
    /// The primary result code, such as `SQLITE_FULL`.
    let code: Int32
    let description: String

    fileprivate init(_ code: Int32, _ connection: OpaquePointer?) {
        self.code = code & 0xFF
        description = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}
