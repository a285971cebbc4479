import Dispatch

/// The end of a channel, for tasks: consumers may need the threads that tasks have, so none of those is blocked.
extension Presentation {
    private static let waiting = DispatchQueue(label: "stream.waiting", attributes: .concurrent)

    /// Finishes as ``finish()`` does.
    package func finished() async { await Self.wait { self.finish() } }

    /// Finishes as ``finished()`` does; afterwards no consumer gets anything.
    package func closed() async { await Self.wait { self.close() } }

    private static func wait(for work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            waiting.async {
                work()
                continuation.resume()
            }
        }
    }
}
