import Dispatch
import Synchronization

/// Reads for tasks from a disk that may hang, on a thread of its own.
///
/// Tasks share as few threads as the machine has cores. A read that hangs keeps its thread; until it ends, others fail
/// at once.
package final class DiskReader: Sendable {
    private let queue: DispatchQueue
    private let limit: Duration
    private let isReading = Mutex(false)

    /// The error of a disk that does not answer in time.
    package struct Silence: Error, CustomStringConvertible {
        package var description: String { "the disk does not answer" }
    }

    /// - Parameters:
    ///   - label: The name of the thread, for debuggers.
    ///   - limit: The longest time that a task waits.
    package init(_ label: String, limit: Duration = .seconds(5)) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        self.limit = limit
    }

    /// Runs blocking work.
    ///
    /// - Returns: Its value.
    /// - Throws: Its error; ``Silence`` if it takes too long, or another read still does; `CancellationError` if the task
    ///   is cancelled.
    package func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isFree = isReading.withLock { isReading in
            defer { isReading = true }
            return !isReading
        }
        guard isFree else { throw Silence() }
        let (results, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
        queue.async { [self] in
            let result = Result { try work() }
            isReading.withLock { $0 = false }
            continuation.yield(result)
            continuation.finish()
        }
        let timer = Task { [limit] in
            try await Task.sleep(for: limit)
            continuation.yield(.failure(Silence()))
            continuation.finish()
        }
        defer { timer.cancel() }
        for await result in results { return try result.get() }
        throw CancellationError()
    }
}
