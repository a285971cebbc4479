/// The port that a server has got, which is known once the server answers.
struct BoundPort: Sendable {
    private let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Tells that the server answers at a port.
    @Sendable func set(_ port: Int) {
        continuation.yield(port)
        continuation.finish()
    }

    /// Waits until the server answers.
    ///
    /// - Returns: The port; nil if the task was cancelled before.
    func value() async -> Int? {
        for await port in stream { return port }
        return nil
    }
}
