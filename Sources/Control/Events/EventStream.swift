import FoundationEssentials
package import HummingbirdCore
import MediaCore
import NIOCore
package import Operations
import Presentation

/// Events as they happen, as server-sent events (HTML § 9.2): a record a message, its number the message's ID.
package struct EventStream: Sendable {
    private let log: EventLog
    private let signal: EventSignal
    private let after: Int?
    private let heartbeat: Duration

    /// Events in one write.
    private static let batch = 100

    /// - Parameters:
    ///   - log: Where events are.
    ///   - signal: Fired after each.
    ///   - after: Begin after this number; nil for what is new from now on.
    ///   - heartbeat: How long the connection may be silent, before a comment shows both sides that it stands.
    package init(log: EventLog, signal: EventSignal, after: Int?, heartbeat: Duration) {
        self.log = log
        self.signal = signal
        self.after = after
        self.heartbeat = heartbeat
    }

    /// Writes until the reader goes, falls behind what the log keeps, or the signal is finished.
    ///
    /// - Throws: What the writer throws.
    @concurrent package func write(to writer: inout any ResponseBodyWriter) async throws {
        let (wakes, continuation) = signal.follow()
        defer { continuation.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: heartbeat)) != nil { continuation.yield() }
            }
            defer { group.cancelAll() }
            try await follow(wakes, writer: &writer)
        }
        try await writer.finish(nil)
    }

    @concurrent private func follow(_ wakes: AsyncStream<Void>, writer: inout any ResponseBodyWriter) async throws {
        var last = after.map(log.position) ?? log.newest
        // Written at once, so that the reader knows that it is heard; two seconds until it comes back if cut off.
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        var entries = log.entries(after: last)
        var iterator = wakes.makeAsyncIterator()
        while true {
            for start in stride(from: 0, to: entries.count, by: Self.batch) {
                let batch = entries[start..<min(start + Self.batch, entries.count)]
                try await writer.write(try batch.reduce(into: ByteBuffer()) { try $0.writeMessage(EventRecord($1)) })
            }
            last = entries.last?.number ?? last
            guard await iterator.next(isolation: #isolation) != nil else { return }
            entries = log.entries(after: last)
            // The log has dropped what this reader has not got: it is let go, and begins anew with what there is.
            if let first = entries.first, first.number > last + 1 { return }
            if entries.isEmpty { try await writer.write(ByteBuffer(string: ":\n\n")) }
        }
    }
}

extension ByteBuffer {
    /// One message; JSON on one line has no line break that would end it.
    fileprivate mutating func writeMessage(_ record: EventRecord) throws {
        writeString("id: \(record.number)\ndata: ")
        writeBytes(try JSONEncoder.canonical.encode(record))
        writeString("\n\n")
    }
}
