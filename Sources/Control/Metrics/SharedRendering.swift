import NIOCore
import Synchronization

/// Bytes that are made at most once in a while, however many ask: all who come within that time get the same.
///
/// Making it asks every channel for all that it knows, which must not be at the pace of whoever asks.
final class SharedRendering: Sendable {
    private let latest = Mutex<(made: ContinuousClock.Instant, bytes: ByteBuffer)?>(nil)
    private let age: Duration

    /// - Parameter age: The greatest age of the bytes.
    init(age: Duration) {
        self.age = age
    }

    /// Returns the bytes, made now if they are too old; whoever comes meanwhile waits for that.
    func bytes(_ make: () -> ByteBuffer) -> ByteBuffer {
        latest.withLock { latest in
            if let latest, ContinuousClock.now - latest.made < age { return latest.bytes }
            let bytes = make()
            latest = (.now, bytes)
            return bytes
        }
    }
}
