import Foundation
import Succession

/// What the other process says, in order; it ends where that does.
struct SuccessionInbox: Sendable {
    private let stream: AsyncStream<SuccessionMessage>

    init(_ socket: SuccessionSocket) {
        let (stream, continuation) = AsyncStream<SuccessionMessage>.makeStream()
        self.stream = stream
        // It waits for as long as the other process lives, which is nothing for a thread that tasks share.
        Thread.detachNewThread {
            while let message = socket.receive() { continuation.yield(message) }
            continuation.finish()
        }
    }

    /// The next message; nil where the other process is gone.
    func next() async -> SuccessionMessage? {
        for await message in stream { return message }
        return nil
    }
}
