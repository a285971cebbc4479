import NIOCore

/// A body that is being written until its writer or the client ends it.
final class StreamedBody {
    /// True if its parts are framed as chunks (RFC 9112 § 7.1).
    let isChunked: Bool
    /// True if it is the last body of its connection.
    let closes: Bool
    private var task: Task<Void, Never>?
    /// The writer, while the client takes nothing more.
    private var waiting: CheckedContinuation<Void, any Error>?

    init(isChunked: Bool, closes: Bool) {
        self.isChunked = isChunked
        self.closes = closes
    }

    func begin(_ task: Task<Void, Never>) { self.task = task }

    /// Suspends the writer until ``resume()``.
    func hold(_ writer: CheckedContinuation<Void, any Error>) { waiting = writer }

    /// The client takes more.
    func resume() {
        waiting?.resume()
        waiting = nil
    }

    /// The client has left.
    func cancel() {
        task?.cancel()
        waiting?.resume(throwing: CancellationError())
        waiting = nil
    }
}
