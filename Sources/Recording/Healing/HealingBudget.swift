package import MediaCore
import Synchronization

/// The bytes a second that all recordings of a process together may take from their peers, so that viewers are not
/// disturbed.
package final class HealingBudget: Sendable {
    private let bytesPerSecond: Int
    /// The time of the next request.
    private let free = Mutex(MediaTime.zero)

    /// Several times the bit rate of a channel, so that holes are filled soon.
    package static let usual = 1 << 23

    /// - Parameter bytesPerSecond: The bytes a second.
    package init(bytesPerSecond: Int = HealingBudget.usual) {
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// Takes bytes of it.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes to fetch.
    ///   - now: The time on a clock that all callers share and that is never set.
    /// - Returns: Nil if they may be fetched now; else the time at which to ask again.
    package func reserve(_ byteCount: Int, at now: MediaTime) -> MediaTime? {
        free.withLock { free in
            if free > now { return free }
            free = now + MediaTime(Int64(byteCount), timescale: Int64(bytesPerSecond))
            return nil
        }
    }

    /// Counts bytes beyond the requested ones: a peer that sends too much delays all channels.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes beyond those that were reserved; none if there were fewer.
    ///   - now: As for ``reserve(_:at:)``.
    package func spend(_ byteCount: Int, at now: MediaTime) {
        if byteCount <= 0 { return }
        free.withLock { $0 = max($0, now) + MediaTime(Int64(byteCount), timescale: Int64(bytesPerSecond)) }
    }
}
