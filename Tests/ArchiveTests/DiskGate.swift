import Dispatch
import Synchronization

/// Lets nobody write while it is closed.
final class DiskGate: Sendable {
    private let state = Mutex((isClosed: false, waiting: 0))
    private let opened = DispatchSemaphore(value: 0)

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { opened.signal() }
    }

    func pass() {
        let mustWait = state.withLock { state in
            if state.isClosed { state.waiting += 1 }
            return state.isClosed
        }
        if mustWait { opened.wait() }
    }
}
