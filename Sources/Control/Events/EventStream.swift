import FoundationEssentials
package import HTTPServing
import MediaCore
import NIOCore
package import Operations

/// Events as they happen, as server-sent events (HTML § 9.2): a record a message, its number the message's ID.
package struct EventStream: Sendable {
    private let history: EventHistory
    private let signal: EventSignal
    private let filter: EventFilter
    private let after: Int?
    private let heartbeat: Duration

    /// The most events in one write.
    private static let batch = 100
    /// The most events that are looked up at once.
    private static let page = 1000

    /// - Parameters:
    ///   - history: The history of events.
    ///   - signal: Fired after each.
    ///   - filter: The filter of events.
    ///   - after: The number after which to begin; nil for new events only.
    ///   - heartbeat: The longest silence before a comment shows both sides that the connection works.
    package init(
        history: EventHistory,
        signal: EventSignal,
        filter: EventFilter = EventFilter(),
        after: Int?,
        heartbeat: Duration
    ) {
        self.history = history
        self.signal = signal
        self.filter = filter
        self.after = after
        self.heartbeat = heartbeat
    }

    /// Writes until the reader goes, falls too far behind, or the signal is finished.
    ///
    /// - Parameter write: Sends bytes.
    /// - Throws: The error of `write`.
    @concurrent package func write(to write: @escaping Answer.Writer) async throws {
        let (wakes, continuation) = signal.follow()
        defer { continuation.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: heartbeat)) != nil { continuation.yield() }
            }
            defer { group.cancelAll() }
            try await follow(wakes, write)
        }
    }

    @concurrent private func follow(_ wakes: AsyncStream<Void>, _ write: @escaping Answer.Writer) async throws {
        var last = after.map(history.position) ?? history.log.newest
        // Written at once, so that the reader knows that it is connected; it reconnects two seconds after a loss.
        try await write(ByteBuffer(string: "retry: 2000\n\n"))
        last = try await send(after: last, to: write).last
        var iterator = wakes.makeAsyncIterator()
        while await iterator.next(isolation: #isolation) != nil {
            // Events that this reader lacks are dropped: its connection is closed, and it begins anew with those that
            // remain.
            guard history.reaches(last) else { return }
            let sent = try await send(after: last, to: write)
            last = sent.last
            if sent.count == 0 { try await write(ByteBuffer(string: ":\n\n")) }
        }
    }

    /// Writes all events after a number.
    ///
    /// - Returns: The number of events, and the last number that the reader has.
    @concurrent private func send(
        after number: Int,
        to write: @escaping Answer.Writer
    ) async throws -> (count: Int, last: Int) {
        var search = EventSearch(limit: Self.page)
        search.filter = filter
        var (count, last) = (0, number)
        while true {
            search.after = last
            let newest = history.log.newest
            let entries = await history.page(search).entries
            for start in stride(from: 0, to: entries.count, by: Self.batch) {
                let batch = entries[start..<min(start + Self.batch, entries.count)]
                try await write(try batch.reduce(into: ByteBuffer()) { try $0.writeMessage(EventRecord($1)) })
            }
            count += entries.count
            if entries.count == Self.page {
                last = entries[entries.count - 1].number
            } else {
                return (count, max(entries.last?.number ?? last, newest))
            }
        }
    }
}

extension ByteBuffer {
    /// Writes a message; its JSON is on one line, since a line break would end it.
    fileprivate mutating func writeMessage(_ record: EventRecord) throws {
        writeString("id: \(record.number)\ndata: ")
        writeBytes(try JSONEncoder.canonical.encode(record))
        writeString("\n\n")
    }
}
