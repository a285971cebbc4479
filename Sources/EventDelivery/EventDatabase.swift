import Files
import GRDB
import Glibc
import MediaCore
import Operations
import Playlists

/// Events in a file of SQLite.
///
/// It is written with a log ahead of it (WAL): readers and the writer do not wait for each other, and what was written
/// outlives this process at any moment.
struct EventDatabase: Sendable {
    private let pool: DatabasePool

    /// Opens a database, made where there is none.
    ///
    /// - Parameters:
    ///   - path: Of its file; others have names that begin with it.
    ///   - patience: How long to wait for a program that has it locked.
    /// - Throws: `FileError` where there is something else; `DatabaseError`.
    init(path: String, patience: Duration) throws {
        // SQLite gives the others the rights of this one. What is no plain file is refused, and never waited for.
        try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600).status()
        var configuration = Configuration()
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(patience / .seconds(1))
        configuration.prepareDatabase { database in
            // Of what a power cut takes the last is worth no more than the disk's work.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.execute(sql: "PRAGMA journal_size_limit = 4194304")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try Self.migrator.migrate(pool)
    }

    private static let migrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("events") { database in
            try database.execute(
                sql: """
                    CREATE TABLE event (
                        number INTEGER PRIMARY KEY,
                        time INTEGER NOT NULL, -- milliseconds of UTC since 1970
                        channel TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        input TEXT,
                        rendition TEXT,
                        slot INTEGER,
                        message TEXT NOT NULL
                    );
                    CREATE INDEX event_channel ON event (channel, number);
                    CREATE INDEX event_kind ON event (kind, number);
                    CREATE TABLE reader (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("severity") { database in
            try database.execute(sql: "ALTER TABLE event ADD COLUMN severity TEXT")
        }
        return migrator
    }()

    /// The number of the newest event; nil where there is none.
    func newest() throws -> Int? {
        try pool.read { try Int.fetchOne($0, sql: "SELECT max(number) FROM event") }
    }

    /// Bytes of what it holds, those on their way to the file aside.
    func byteCount() throws -> Int {
        try pool.read { try Self.byteCount($0) }
    }

    /// Adds events, all or none.
    func add(_ entries: [EventLog.Entry]) throws {
        try pool.write { database in
            // A number may be there already where the clock was set back while nobody could read what there is.
            let insert = try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO event (number, time, channel, kind, severity, input, rendition, slot, message)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for entry in entries {
                let event = entry.event
                try insert.execute(
                    arguments: [
                        entry.number, event.time.milliseconds, event.channel, event.kind.rawValue,
                        event.severity.rawValue, event.input, Self.column(event.renditions), event.slot?.value,
                        event.message,
                    ]
                )
            }
        }
    }

    /// Removes some of the oldest events.
    ///
    /// - Parameters:
    ///   - end: UTC; older ones go.
    ///   - maximumBytes: While there are more bytes, the oldest go.
    ///   - count: As many at most, so that nobody waits for long.
    /// - Returns: How many went.
    /// - Throws: `DatabaseError`; then all are there.
    func removeOldest(before end: MediaTime, beyond maximumBytes: Int, atMost count: Int) throws -> Int {
        try pool.write { database in
            let isTooLarge = try Self.byteCount(database) > maximumBytes
            let oldest = try Row.fetchAll(
                database,
                sql: "SELECT number, time FROM event ORDER BY number LIMIT ?",
                arguments: [count]
            )
            let removed = oldest.prefix { isTooLarge || ($0["time"] as Int64) < end.milliseconds }
            guard let last = removed.last else { return 0 }
            try database.execute(sql: "DELETE FROM event WHERE number <= ?", arguments: [last["number"] as Int64])
            return removed.count
        }
    }

    /// A page of events, asked for without waiting for it.
    func read(
        _ search: EventSearch,
        then done: @escaping @Sendable (Result<[EventLog.Entry], any Error>) -> Void
    ) {
        let (sql, arguments) = Self.statement(search)
        pool.asyncRead { database in
            done(
                Result {
                    let rows = try Row.fetchAll(try database.get(), sql: sql, arguments: arguments)
                    let entries = rows.compactMap(EventLog.Entry.init)
                    return search.after == nil ? entries.reversed() : entries
                }
            )
        }
    }

    func position(of reader: String) throws -> Int? {
        try pool.read { try Int.fetchOne($0, sql: "SELECT number FROM reader WHERE name = ?", arguments: [reader]) }
    }

    func keep(position: Int, of reader: String) throws {
        try pool.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO reader (name, number) VALUES (?, ?)",
                arguments: [reader, position]
            )
        }
    }

    /// Pages that are in use; those that are not are used before the file grows.
    private static func byteCount(_ database: Database) throws -> Int {
        func value(_ pragma: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
        return try (value("page_count") - value("freelist_count")) * value("page_size")
    }

    /// Names of renditions as they are kept: none has a space in it.
    private static func column(_ renditions: [RenditionID]) -> String? {
        renditions.isEmpty ? nil : renditions.map(\.name).joined(separator: " ")
    }

    private static func statement(_ search: EventSearch) -> (sql: String, arguments: StatementArguments) {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func add(_ condition: String, _ values: [any DatabaseValueConvertible]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
        let filter = search.filter
        if let after = search.after { add("number > ?", [after]) }
        if let before = search.before { add("number < ?", [before]) }
        if !filter.channels.isEmpty { add("channel IN (\(marks(filter.channels.count)))", filter.channels.sorted()) }
        let kinds = filter.kinds.isEmpty ? ChannelEvent.Kind.allCases : Array(filter.kinds)
        // Of kinds that a later version knows none is told. The plus keeps their index out of it where all are wanted.
        add("\(filter.kinds.isEmpty ? "+" : "")kind IN (\(marks(kinds.count)))", kinds.map(\.rawValue))
        if let from = filter.from { add("time >= ?", [from.milliseconds]) }
        if let to = filter.to { add("time < ?", [to.milliseconds]) }
        if let text = filter.text {
            let pattern = text.map { "\\%_".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            add("message LIKE ? ESCAPE '\\'", ["%\(pattern)%"])
        }
        let order = search.after == nil ? "DESC" : "ASC"
        arguments += [search.limit]
        return (
            "SELECT * FROM event WHERE \(conditions.joined(separator: " AND ")) ORDER BY number \(order) LIMIT ?",
            arguments
        )
    }
}

extension EventLog.Entry {
    /// - Parameter row: Of an event.
    fileprivate init?(_ row: Row) {
        guard let kind = ChannelEvent.Kind(rawValue: row["kind"]) else { return nil }
        let event = ChannelEvent(
            time: MediaTime(row["time"] as Int64, timescale: 1000),
            channel: row["channel"],
            kind: kind,
            // An earlier version kept none.
            severity: (row["severity"] as String?).flatMap(ChannelEvent.Severity.init),
            input: row["input"],
            renditions: (row["rendition"] as String? ?? "").split(separator: " ").map { RenditionID(String($0)) },
            slot: (row["slot"] as Int64?).map { MediaSequenceNumber($0) },
            message: row["message"]
        )
        self.init(number: row["number"], event: event)
    }
}
