package import MediaCore
import NIOCore
import Synchronization

/// The content keys that a channel encrypts with, shared by the code that fetches, uses and serves them.
///
/// They are asked for by what everybody may know of them, so that nothing else has to hold their bytes.
package final class KeyStore: Sendable {
    /// The least number of periods kept of a class: more than are requested ahead, and than unpublished segments need.
    private static let minimumCapacity = 64

    /// The keys that go when there are too many.
    package enum Eviction: Sendable {
        /// Those of the oldest periods of a stream that continues.
        case oldestPeriod
        /// Those that came first, of periods in any order.
        case firstInserted
    }

    private struct State {
        var periods: [KeyClass: [CryptoPeriod: PeriodKey]] = [:]
        /// The keys by their IDs, each with the newest of its periods.
        var keys: [KeyID: PeriodKey] = [:]
        var revision = 0
        /// The periods of each class in the order in which their keys came.
        var arrivals: [KeyClass: CircularBuffer<CryptoPeriod>] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let eviction: Eviction

    /// - Parameters:
    ///   - capacity: The least number of periods that are kept.
    ///   - eviction: The keys that go when there are more.
    package init(capacity: Int = 0, eviction: Eviction = .oldestPeriod) {
        self.capacity = max(capacity, Self.minimumCapacity)
        self.eviction = eviction
    }

    /// Adds a key; one of its class goes if there are too many.
    package func insert(_ key: PeriodKey) {
        state.withLock { state in
            state.revision += 1
            let former = state.periods[key.keyClass, default: [:]].updateValue(key, forKey: key.period)
            if eviction == .firstInserted, former == nil {
                state.arrivals[key.keyClass, default: CircularBuffer()].append(key.period)
            }
            if (state.keys[key.keyID]?.period ?? key.period) <= key.period { state.keys[key.keyID] = key }
            guard let others = state.periods[key.keyClass], others.count > capacity else { return }
            let period =
                switch eviction {
                case .oldestPeriod: others.keys.min()
                case .firstInserted: state.arrivals[key.keyClass]?.popFirst()
                }
            guard let period, let gone = state.periods[key.keyClass]?.removeValue(forKey: period) else { return }
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
