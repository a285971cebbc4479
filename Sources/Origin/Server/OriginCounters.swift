import Synchronization

/// What the origin has served, for the progress line.
package final class OriginCounters: Sendable {
    package struct Totals: Hashable, Sendable {
        /// Requests answered, whatever the status.
        package var requests: Int
        /// Bytes of all bodies sent.
        package var bytes: Int
        /// Clients that asked for media within the last 30 seconds.
        package var viewers: Int
    }

    private let requests = Atomic(0)
    private let bytes = Atomic(0)
    private let viewers = Mutex(ViewerCensus())
    private let now: @Sendable () -> Int64

    /// - Parameter now: Seconds of a clock that never goes back.
    package init(now: @escaping @Sendable () -> Int64 = { OriginCounters.uptime() }) {
        self.now = now
    }

    package var totals: Totals {
        Totals(
            requests: requests.load(ordering: .relaxed),
            bytes: bytes.load(ordering: .relaxed),
            viewers: viewers.withLock { $0.count(now: now()) }
        )
    }

    func answered(bytes count: Int) {
        requests.add(1, ordering: .relaxed)
        bytes.add(count, ordering: .relaxed)
    }

    func mediaRequested(by viewer: Int) {
        let now = now()
        viewers.withLock { $0.requested(by: viewer, now: now) }
    }

    private static let start = ContinuousClock.now

    package static func uptime() -> Int64 {
        (ContinuousClock.now - start).components.seconds
    }
}
