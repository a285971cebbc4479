package import MediaCore
import Synchronization

/// The content keys that a channel encrypts with, shared by the code that fetches, uses and serves them.
///
/// They are asked for by what everybody may know of them, so that nothing else has to hold their bytes.
package final class KeyStore: Sendable {
    /// The least number of periods kept of a class: more than are requested ahead, and than unpublished segments need.
    private static let minimumCapacity = 64

    private struct State {
        var periods: [KeyClass: [CryptoPeriod: PeriodKey]] = [:]
        /// The keys by their IDs, each with the newest of its periods.
        var keys: [KeyID: PeriodKey] = [:]
        var revision = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The least number of periods that are kept.
    package init(capacity: Int = 0) {
        self.capacity = max(capacity, Self.minimumCapacity)
    }

    /// Adds a key; the oldest of its class go, the newest never do.
    package func insert(_ key: PeriodKey) {
        state.withLock { state in
            state.revision += 1
            state.periods[key.keyClass, default: [:]][key.period] = key
            if (state.keys[key.keyID]?.period ?? key.period) <= key.period { state.keys[key.keyID] = key }
            guard let others = state.periods[key.keyClass], others.count > capacity, let oldest = others.keys.min(),
                let gone = state.periods[key.keyClass]?.removeValue(forKey: oldest)
            else { return }
            if state.keys[gone.keyID] == gone { state.keys[gone.keyID] = nil }
        }
    }

    /// - Throws: ``MissingKey`` if it was never added, or long ago.
    package func key(_ keyID: KeyID) throws(MissingKey) -> PeriodKey {
        guard let key = state.withLock({ $0.keys[keyID] }) else { throw MissingKey() }
        return key
    }

    /// The key of a class for a period; nil if it is not known.
    package func key(for period: CryptoPeriod, _ keyClass: KeyClass) -> PeriodKey? {
        state.withLock { $0.periods[keyClass]?[period] }
    }

    /// All keys, those of the oldest periods first.
    package var all: [PeriodKey] {
        let keys = state.withLock { state in state.periods.values.flatMap { $0.values } }
        return keys.sorted { ($0.period, $0.keyClass.rawValue) < ($1.period, $1.keyClass.rawValue) }
    }

    /// All keys of a class by the periods that they are for.
    func keys(of keyClass: KeyClass) -> [CryptoPeriod: PeriodKey] {
        state.withLock { $0.periods[keyClass] ?? [:] }
    }

    /// A number that changes with each key that is added.
    var revision: Int { state.withLock { $0.revision } }
}
