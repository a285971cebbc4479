import MediaCore
import Synchronization

/// A clock that a test sets.
final class MovableClock: UTCClock {
    private let time = Mutex(StoppedClock().now)

    var now: MediaTime { time.withLock { $0 } }

    func advance(by seconds: Int64) { time.withLock { $0 += MediaTime(seconds: seconds) } }
}
