import MediaCore
package import NIOCore
import NIOPosix
import Synchronization

/// Threads that wait for disks, so that neither event loops nor tasks do.
///
/// A disk that stands still keeps the threads, and all whose work waits for them: each kind of viewers has its own.
package final class Readers: Sendable {
    /// The threads that read for live viewers; each connection has one or a few requests that wait for them.
    package static let live = Readers(threads: 4)
    /// The threads that read recordings, with a limit on waiting requests.
    package static let past = Readers(threads: 4, mostWaiting: 2048)

    /// Too much work waits already.
    package struct Busy: Error {}

    private let pool: NIOThreadPool
    /// The most pieces of work that wait for a thread; half of them may be for one client.
    package let mostWaiting: Int
    private let places: Mutex<SharedQuota>

    /// Starts the threads, which end with this object.
    ///
    /// - Parameters:
    ///   - threads: The number of threads.
    ///   - mostWaiting: The most pieces of work that wait for one of them.
    package init(threads: Int, mostWaiting: Int = .max) {
        pool = NIOThreadPool(numberOfThreads: threads)
        self.mostWaiting = mostWaiting
        places = Mutex(SharedQuota(limit: mostWaiting))
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// The number of pieces of work that wait for a thread.
    package var waitingCount: Int { places.withLock { $0.taken } }

    /// Runs long work on one of the threads.
    ///
    /// - Parameters:
    ///   - client: Tells the network of the client from others.
    ///   - work: The work.
    /// - Returns: The result of the work.
    /// - Throws: ``Busy`` if too much work waits already, or too much for the client; it is not done then.
    package func run<Value: Sendable>(
        for client: Int,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = take(for: client) { continuation.resume(returning: work()) }
            if !isTaken { continuation.resume(throwing: Busy()) }
        }
    }

    /// Runs long work on one of the threads, for an event loop.
    ///
    /// - Parameters:
    ///   - client: Tells the network of the client from others.
    ///   - eventLoop: The event loop that has the result.
    ///   - work: The work.
    /// - Returns: The result of the work, which never comes at once; ``Busy`` if too much work waits already, or too much
    ///   for the client.
    package func run<Value: Sendable>(
        for client: Int,
        on eventLoop: any EventLoop,
        _ work: @escaping @Sendable () -> Value
    ) -> EventLoopFuture<Value> {
        let result = eventLoop.makePromise(of: Value.self)
        let isTaken = take(for: client) { result.succeed(work()) }
        // The rest of a request that was read with its head comes first, as with all other answers.
        if !isTaken { eventLoop.execute { result.fail(Busy()) } }
        return result.futureResult
    }

    /// Queues work.
    ///
    /// - Returns: False if too much waits already; the work is not done then.
    private func take(for client: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        guard places.withLock({ $0.take(for: client) }) else { return false }
        // The threads do not end while there is work: it holds on to them.
        pool.submit { [self] _ in
            places.withLock { $0.giveBack(of: client) }
            work()
        }
        return true
    }
}
