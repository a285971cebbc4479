import Foundation
import Succession

/// A connection between the two processes of an upgrade.
protocol SuccessionConnection: Sendable {
    /// Sends a message, whose descriptor stays open here.
    ///
    /// - Throws: `SuccessionError` if the other process is gone.
    func send(_ message: SuccessionMessage) throws(SuccessionError)

    /// Waits for the next message of the other process; nil if that is gone.
    func next() async -> SuccessionMessage?
}

/// A connection over a pair of sockets.
struct SocketConnection: SuccessionConnection {
    private let socket: SuccessionSocket
    private let messages: AsyncStream<SuccessionMessage>

    init(_ socket: SuccessionSocket) {
        self.socket = socket
        let (messages, continuation) = AsyncStream<SuccessionMessage>.makeStream()
        self.messages = messages
        // It waits as long as the other process lives, which would block a thread that tasks share.
        Thread.detachNewThread {
            while let message = socket.receive() { continuation.yield(message) }
            continuation.finish()
        }
    }

    func send(_ message: SuccessionMessage) throws(SuccessionError) { try socket.send(message) }

    func next() async -> SuccessionMessage? {
        for await message in messages { return message }
        return nil
    }

    /// Ends the conversation for both.
    func shutDown() { socket.shutDown() }
}
