import NIOCore

/// Lets the streams of one connection of HTTP/2 do something few at a time, the others in the order in which they came.
///
/// An answer that is read from a disk stays in memory until the client has received it. Over HTTP/1.1 that is one
/// answer for each connection; over HTTP/2 a client that reads none must not cost a hundred. All methods run on one
/// event loop.
package final class StreamTurns {
    /// One that has its turn, or waits for it.
    package struct Ticket: Hashable {
        fileprivate var number: Int
    }

    private let count: Int
    private var next = 0
    private var active: Set<Ticket> = []
    private var waiting: CircularBuffer<(ticket: Ticket, begin: () -> Void)> = []

    /// - Parameter count: The number of those that have their turn at once.
    init(count: Int) {
        self.count = count
    }

    /// Begins as soon as it may, perhaps at once.
    ///
    /// - Parameter begin: Begins the turn.
    /// - Returns: A ticket for ``leave(_:)``.
    package func take(_ begin: @escaping () -> Void) -> Ticket {
        let ticket = Ticket(number: next)
        next += 1
        waiting.append((ticket, begin))
        advance()
        return ticket
    }

    /// Returns a ticket whose work is done or given up.
    package func leave(_ ticket: Ticket) {
        waiting.removeAll { $0.ticket == ticket }
        active.remove(ticket)
        advance()
    }

    private func advance() {
        while active.count < count, let (ticket, begin) = waiting.popFirst() {
            active.insert(ticket)
            begin()
        }
    }
}
