import Channels
import MediaCore
import Packaging
import Synchronization

/// UTC that a scenario moves.
final class ManualClock: UTCClock {
    private let time: Mutex<MediaTime>
    /// The step by which the machine's own clock was set.
    private let step = Mutex(MediaTime.zero)

    init(_ time: MediaTime) {
        self.time = Mutex(time)
    }

    var now: MediaTime { time.withLock { $0 } }
    var wallClock: MediaTime { now + step.withLock { $0 } }

    func set(_ now: MediaTime) { time.withLock { $0 = now } }
    func step(by step: MediaTime) { self.step.withLock { $0 += step } }
}
