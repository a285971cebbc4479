package import Dispatch

/// Blocking work of tasks, which share as few threads as the machine has cores: none of them may wait for a disk.
extension DispatchQueue {
    /// Runs blocking work on the queue.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            self.async { continuation.resume(returning: work()) }
        }
    }

    /// Runs blocking work that may fail on the queue.
    package func result<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        await run { Result { try work() } }
    }
}
