import Synchronization

@testable import Hosting

/// Runs a channel that reads and writes nothing, until a test ends it.
final class ScriptedRunner: ChannelRunner {
    /// The channel runs.
    let started = Occurrence()
    /// Somebody closes the channel.
    let closing = Occurrence()
    /// The channel may be closed.
    let mayClose = Occurrence()
    private let ending = AsyncStream<FeedError?>.makeStream()
    private let end = Mutex<Bool?>(nil)

    /// True if it was closed as a stream that is over; nil if it is open.
    var ends: Bool? { end.withLock { $0 } }

    /// Ends the channel as its feeds would.
    func finish(_ error: FeedError? = nil) {
        ending.continuation.yield(error)
        ending.continuation.finish()
    }

    func run() async -> FeedError? {
        started.happen()
        for await error in ending.stream { return error }
        return nil
    }

    func close(ends: Bool) async {
        closing.happen()
        await mayClose.wait()
        end.withLock { $0 = ends }
    }
}
