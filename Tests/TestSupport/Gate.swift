import Dispatch
import Synchronization

/// Lets nobody through while it is closed.
package final class Gate: Sendable {
    private let state: Mutex<(isClosed: Bool, waiting: Int)>
    private let opened = DispatchSemaphore(value: 0)

    package init(isClosed: Bool = false) {
        state = Mutex((isClosed, 0))
    }

    /// The number of those that wait.
    package var waiting: Int { state.withLock { $0.waiting } }

    package func close() { state.withLock { $0.isClosed = true } }

    package func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { opened.signal() }
    }

    package func pass() {
        let mustWait = state.withLock { state in
            if state.isClosed { state.waiting += 1 }
            return state.isClosed
        }
        if mustWait { opened.wait() }
    }
}
