import Synchronization

/// A sign of life of an endless loop.
package final class Pulse: Sendable {
    /// The nanoseconds from the start to the newest sign of life; negative after an orderly stop.
    private let newest = Atomic<Int64>(0)
    private let origin = ContinuousClock.now

    package init() {}

    package func beat() { newest.store(max(0, age(of: 0)), ordering: .relaxed) }

    /// Stops the pulse without an alarm.
    package func stop() { newest.store(-1, ordering: .relaxed) }

    /// Returns true if it continues, or has stopped in order.
    ///
    /// - Parameter limit: The age up to which the newest sign shows life.
    /// - Returns: True if it is no older.
    package func isAlive(within limit: Duration) -> Bool {
        let newest = newest.load(ordering: .relaxed)
        return newest < 0 || .nanoseconds(age(of: newest)) <= limit
    }

    private func age(of time: Int64) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000 - time
    }
}
