import Synchronization

/// An event that happens once, and that tests wait for.
final class Occurrence: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    func happen() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once it has happened, or once the test that waits is over its time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasHappened = state.withLock { state in
                    if !state.hasHappened { state.waiting.append(continuation) }
                    return state.hasHappened
                }
                if hasHappened { continuation.resume() }
            }
        } onCancel: {
            happen()
        }
    }
}
