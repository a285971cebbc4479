import Dispatch
import Files
import Glibc
import MediaCore
import Operations
import Playlists
import Synchronization

/// Events in a file of SQLite.
///
/// It has a write-ahead log (WAL): readers and the writer do not wait for each other, and written events
/// survive a crash of the process.
final class EventDatabase: Sendable {
    private let writer: Mutex<SQLiteConnection>
    /// The connection for searches, so that a long one does not hold up writing.
    private let reader: Mutex<SQLiteConnection>
    private let searches = DispatchQueue(label: "event searches")

    /// Opens a database, which is made if it is missing.
    ///
    /// - Parameters:
    ///   - path: The path of its file; others have names that begin with it.
    ///   - patience: The time to wait for a program that has it locked.
    /// - Throws: `FileError` if there is something else; `SQLiteError`.
    init(path: String, patience: Duration) throws {
        // SQLite gives its other files the rights of this one. Anything but a regular file is refused without waiting.
        try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600).status()
        writer = Mutex(try Self.connection(path, patience))
        reader = Mutex(try Self.connection(path, patience))
        try writer.withLock { database in
            try database.transaction { () throws(SQLiteError) in try Self.prepare(database) }
        }
    }

    private static func connection(_ path: String, _ patience: Duration) throws(SQLiteError) -> SQLiteConnection {
        let database = try SQLiteConnection(path: path, patience: patience)
        try database.run("PRAGMA journal_mode = WAL")
        // Losing the last events in a power cut costs less than synchronizing each.
        try database.run("PRAGMA synchronous = NORMAL")
        try database.run("PRAGMA journal_size_limit = 4194304")
        return database
    }

    /// Makes the tables, and adds the columns that those of an earlier version lack.
    private static func prepare(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS event (
                number INTEGER PRIMARY KEY,
                time INTEGER NOT NULL, -- milliseconds of UTC since 1970
                channel TEXT NOT NULL,
                kind TEXT NOT NULL,
                input TEXT,
                rendition TEXT,
                slot INTEGER,
                message TEXT NOT NULL
            )
            """
        )
        try database.run("CREATE INDEX IF NOT EXISTS event_channel ON event (channel, number)")
        try database.run("CREATE INDEX IF NOT EXISTS event_kind ON event (kind, number)")
        try database.run(
            "CREATE TABLE IF NOT EXISTS reader (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID"
        )
        if try database.run("SELECT 1 FROM pragma_table_info('event') WHERE name = 'severity'").isEmpty {
            try database.run("ALTER TABLE event ADD COLUMN severity TEXT")
        }
        // An earlier version looks here for finished migrations.
        try database.run("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        try database.run("INSERT OR IGNORE INTO grdb_migrations VALUES ('events'), ('severity')")
    }

    /// The number of the newest event; nil if there is none.
    func newest() throws -> Int? {
        try writer.withLock { database in
            try database.integer("SELECT max(number) FROM event WHERE number <= ?", [.integer(Self.numbers.upperBound)])
        }
    }

    /// The bytes of the database, without those in the log.
    func byteCount() throws -> Int {
        try writer.withLock { try Self.byteCount($0) }
    }

    /// Adds events, all or none.
    func add(_ entries: [EventLog.Entry]) throws {
        try writer.withLock { database in
            try database.transaction { () throws(SQLiteError) in
                // A number may exist already if the clock was set back while the database could not be read.
                let insert = try database.prepare(
                    "INSERT OR REPLACE INTO event (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                )
                for entry in entries { try insert.run(Self.values(entry)) }
            }
        }
    }

    /// Adds all events and all readers' places of another database, all or none.
    ///
    /// - Parameter path: The path of its file, which was opened before, so that it has all tables.
    /// - Throws: `SQLiteError`; then nothing has changed.
    func add(allOf path: String) throws {
        try writer.withLock { database in
            try database.run("ATTACH DATABASE ? AS former", [.text(path)])
            do {
                try database.transaction { () throws(SQLiteError) in
                    try database.run(
                        "INSERT OR REPLACE INTO event (\(Self.columns)) SELECT \(Self.columns) FROM former.event"
                    )
                    try database.run(
                        "INSERT OR REPLACE INTO reader (name, number) SELECT name, number FROM former.reader"
                    )
                }
            } catch {
                _ = try? database.run("DETACH DATABASE former")
                throw error
            }
            _ = try? database.run("DETACH DATABASE former")
        }
    }

    /// Removes some of the oldest events.
    ///
    /// - Parameters:
    ///   - times: UTC; older events go. A newer one, of a time when the clock was ahead, goes with an older one behind it.
    ///   - maximumBytes: While there are more bytes, the oldest go.
    ///   - count: The most events to remove, so that other work does not wait for long.
    /// - Returns: The number of events that were removed.
    /// - Throws: `SQLiteError`; then nothing was removed.
    func removeOldest(
        outside times: ClosedRange<MediaTime>,
        beyond maximumBytes: Int,
        atMost count: Int
    ) throws -> Int {
        try writer.withLock { database in
            try database.transaction { () throws(SQLiteError) in
                let isTooLarge = try Self.byteCount(database) > maximumBytes
                let oldest = try database.run(
                    "SELECT number, time FROM event ORDER BY number LIMIT ?",
                    [.integer(count)]
                ) { (number: $0[0] ?? 0, time: Self.time($0[1]) ?? .zero) }
                let kept = times.lowerBound.milliseconds...times.upperBound.milliseconds
                var removed = oldest.prefix { isTooLarge || !kept.contains($0.time.milliseconds) }
                // If all are newer, it is now that the clock is wrong.
                while !isTooLarge, let last = removed.last, last.time.milliseconds > kept.upperBound {
                    removed.removeLast()
                }
                guard let last = removed.last else { return 0 }
                try database.run("DELETE FROM event WHERE number <= ?", [.integer(last.number)])
                return removed.count
            }
        }
    }

    /// Reads a page of events.
    func read(
        _ search: EventSearch,
        then done: @escaping @Sendable (Result<[EventLog.Entry], any Error>) -> Void
    ) {
        searches.async {
            done(
                Result {
                    let (sql, values) = Self.statement(search)
                    let rows = try self.reader.withLock { try $0.run(sql, values, read: EventLog.Entry.init) }
                    let entries = rows.compactMap(\.self)
                    return search.after == nil ? entries.reversed() : entries
                }
            )
        }
    }

    func position(of reader: String) throws -> Int? {
        try writer.withLock { try $0.integer("SELECT number FROM reader WHERE name = ?", [.text(reader)]) }
    }

    func keep(position: Int, of reader: String) throws {
        _ = try writer.withLock { database in
            try database.run(
                "INSERT OR REPLACE INTO reader (name, number) VALUES (?, ?)",
                [.text(reader), .integer(position)]
            )
        }
    }

    /// Pages that are in use; those that are not are used before the file grows.
    private static func byteCount(_ database: borrowing SQLiteConnection) throws(SQLiteError) -> Int {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        let unused = try database.integer("PRAGMA freelist_count") ?? 0
        return try (pages - unused) * (database.integer("PRAGMA page_size") ?? 0)
    }

    /// Numbers of events and slots that are read: none that is counted on from them overflows, and JSON holds them
    /// exactly.
    fileprivate static let numbers = 0...1 << 53

    /// A time as it is read; nil for one that no event can have.
    fileprivate static func time(_ milliseconds: Int?) -> MediaTime? {
        guard let milliseconds else { return nil }
        let time = MediaTime(Int64(milliseconds), timescale: 1000)
        return MediaTime.eventTimes.contains(time) ? time : nil
    }

    private static let columns = "number, time, channel, kind, severity, input, rendition, slot, message"

    /// The values of the columns.
    private static func values(_ entry: EventLog.Entry) -> [SQLiteValue] {
        let event = entry.event
        return [
            .integer(entry.number), SQLiteValue(Int(event.time.milliseconds)), .text(event.channel),
            .text(event.kind.rawValue), .text(event.severity.rawValue), SQLiteValue(event.input),
            SQLiteValue(column(event.renditions)), SQLiteValue((event.slot?.value).map { Int($0) }),
            .text(event.message),
        ]
    }

    /// Names of renditions as they are kept: none has a space in it.
    private static func column(_ renditions: [RenditionID]) -> String? {
        renditions.isEmpty ? nil : renditions.map(\.name).joined(separator: " ")
    }

    private static func statement(_ search: EventSearch) -> (sql: String, values: [SQLiteValue]) {
        var conditions: [String] = []
        var values: [SQLiteValue] = []
        func add(_ condition: String, _ some: [SQLiteValue]) {
            conditions.append(condition)
            values += some
        }
        func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
        let filter = search.filter
        if let after = search.after { add("number > ?", [.integer(after)]) }
        if let before = search.before { add("number < ?", [.integer(before)]) }
        if !filter.channels.isEmpty {
            add("channel IN (\(marks(filter.channels.count)))", filter.channels.sorted().map(SQLiteValue.text))
        }
        let kinds = filter.kinds.isEmpty ? ChannelEvent.Kind.allCases : Array(filter.kinds)
        // Events of unknown kinds, from a later version, are left out. The plus keeps SQLite from using their index if
        // all kinds are wanted.
        add("\(filter.kinds.isEmpty ? "+" : "")kind IN (\(marks(kinds.count)))", kinds.map { .text($0.rawValue) })
        if let from = filter.from { add("time >= ?", [SQLiteValue(Int(from.milliseconds))]) }
        if let to = filter.to { add("time < ?", [SQLiteValue(Int(to.milliseconds))]) }
        if let text = filter.text {
            let pattern = text.map { "\\%_".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            add("message LIKE ? ESCAPE '\\'", [.text("%\(pattern)%")])
        }
        let order = search.after == nil ? "DESC" : "ASC"
        values.append(.integer(search.limit))
        return (
            "SELECT \(columns) FROM event WHERE \(conditions.joined(separator: " AND "))"
                + " ORDER BY number \(order) LIMIT ?",
            values
        )
    }
}

extension SQLiteConnection {
    /// Returns the single number of a result; nil if there is none.
    fileprivate borrowing func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int? {
        try run(sql, values) { $0[0] as Int? }.first ?? nil
    }
}

extension EventLog.Entry {
    /// Reads a row; nil if no packager has written it.
    ///
    /// - Parameter row: The columns of an event, in their order.
    fileprivate init?(_ row: SQLiteRow) {
        guard let number = (row[0] as Int?).flatMap({ EventDatabase.numbers.contains($0) ? $0 : nil }),
            let time = EventDatabase.time(row[1]), let channel: String = row[2],
            let kind = (row[3] as String?).flatMap(ChannelEvent.Kind.init), let message: String = row[8]
        else { return nil }
        let slot = (row[7] as Int?).flatMap { EventDatabase.numbers.contains($0) ? $0 : nil }
        let event = ChannelEvent(
            time: time,
            channel: channel,
            kind: kind,
            // An earlier version kept none.
            severity: (row[4] as String?).flatMap(ChannelEvent.Severity.init),
            input: row[5],
            renditions: (row[6] as String? ?? "").split(separator: " ").map { RenditionID(String($0)) },
            slot: slot.map { MediaSequenceNumber(Int64($0)) },
            message: message
        )
        self.init(number: number, event: event)
    }
}
