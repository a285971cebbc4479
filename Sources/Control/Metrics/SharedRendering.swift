import NIOCore
import Synchronization

/// Bytes that are made at most once in a while, however many ask: all who come within that time get the same.
///
/// Making it queries every channel, which clients must not be able to cause at any rate they like.
final class SharedRendering: Sendable {
    private let latest = Mutex<(made: ContinuousClock.Instant, bytes: ByteBuffer)?>(nil)
    private let age: Duration

    /// - Parameter age: The greatest age of the bytes.
    init(age: Duration) {
        self.age = age
    }

    /// Returns the bytes, made now if they are too old; other callers wait meanwhile.
    func bytes(_ make: () -> ByteBuffer) -> ByteBuffer {
        latest.withLock { latest in
            if let latest, ContinuousClock.now - latest.made < age { return latest.bytes }
            let bytes = make()
            latest = (.now, bytes)
            return bytes
        }
    }
}
