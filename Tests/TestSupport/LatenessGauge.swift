import Foundation
import Synchronization

/// Measures how late the machine runs a thread that is ready, as a tolerance for tests whose subject needs the same machine.
package final class LatenessGauge: Sendable {
    private let worst = Mutex(Duration.zero)
    private let isOver = Atomic(false)

    /// Starts a thread that sleeps for ten milliseconds over and over, until the gauge goes or ``stop()`` is called.
    package init() {
        Thread.detachNewThread { [weak self] in
            while self?.isOver.load(ordering: .relaxed) == false {
                let due = ContinuousClock.now + .milliseconds(10)
                Thread.sleep(forTimeInterval: 0.01)
                let late = ContinuousClock.now - due
                self?.worst.withLock { $0 = max($0, late) }
            }
        }
    }

    deinit { stop() }

    /// The longest that the thread was kept waiting so far.
    package var worstLateness: Duration { worst.withLock { $0 } }

    package func stop() { isOver.store(true, ordering: .relaxed) }
}
