package import MediaCore
import Synchronization

/// The content keys that a channel encrypts with, from whoever gets them to whoever uses them.
///
/// They are asked for by what everybody may know of them, so that nothing else has to hold their bytes.
package final class KeyStore: Sendable {
    /// More periods of a class than are asked for ahead, and than segments wait to be published for.
    private static let capacity = 64

    private let keys = Mutex<[KeyID: PeriodKey]>([:])

    package init() {}

    /// Adds a key; the oldest of its class go, the newest never do.
    package func insert(_ key: PeriodKey) {
        keys.withLock { keys in
            keys[key.keyID] = key
            let others = keys.values.filter { $0.keyClass == key.keyClass }
            guard others.count > Self.capacity, let oldest = others.min(by: { $0.period < $1.period }) else { return }
            keys[oldest.keyID] = nil
        }
    }

    /// - Throws: ``MissingKey`` where it was never added, or long ago.
    package func key(_ keyID: KeyID) throws(MissingKey) -> PeriodKey {
        guard let key = keys.withLock({ $0[keyID] }) else { throw MissingKey() }
        return key
    }
}
