import NIOHTTP2

/// Lets the streams of one connection of HTTP/2 do something few at a time, the others in the order in which they came.
///
/// An answer that is read from a disk stays in memory until the client has received it. Over HTTP/1.1 that is one
/// answer for each connection; over HTTP/2 a client that reads none must not cost a hundred.
struct StreamTurns {
    private let count: Int
    private var active: Set<HTTP2StreamID> = []
    private var waiting: [HTTP2StreamID] = []

    /// - Parameter count: The number of those that have their turn at once.
    init(count: Int) {
        self.count = count
    }

    /// Gives a stream its turn, perhaps later.
    ///
    /// - Returns: True if it has it at once.
    mutating func take(_ stream: HTTP2StreamID) -> Bool {
        guard active.count < count else {
            waiting.append(stream)
            return false
        }
        active.insert(stream)
        return true
    }

    /// Releases the turn of a stream whose work is done or cancelled, or its place in the queue.
    ///
    /// - Returns: The stream that has its turn now; nil if there is no other.
    mutating func release(_ stream: HTTP2StreamID) -> HTTP2StreamID? {
        // Nearly all answers come from memory.
        if active.isEmpty { return nil }
        guard active.remove(stream) != nil else {
            waiting.removeAll { $0 == stream }
            return nil
        }
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        active.insert(next)
        return next
    }
}
