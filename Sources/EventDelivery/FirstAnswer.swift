import Dispatch
import Synchronization

/// An answer with a deadline; a later one is discarded.
final class FirstAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, Never>?>

    private init(_ continuation: CheckedContinuation<Value, Never>) {
        waiting = Mutex(continuation)
    }

    /// Waits for an answer.
    ///
    /// - Parameters:
    ///   - patience: The time to wait.
    ///   - otherwise: The answer where none has come by then.
    ///   - ask: Requests the answer, which may come on any thread.
    /// - Returns: The answer.
    static func wait(
        for patience: Duration,
        otherwise: Value,
        _ ask: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            ask { answer.give($0) }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1)) { answer.give(otherwise) }
        }
    }

    private func give(_ value: Value) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
