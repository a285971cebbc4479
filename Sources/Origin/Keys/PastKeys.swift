package import ContentProtection
package import MediaCore
import Synchronization

/// The keys of recorded crypto periods that have left the live window.
///
/// Derived keys are derived again. Others are requested again by period. They are only kept in memory, and fewer
/// than a recording may have.
package final class PastKeys: Sendable {
    private let directory: any KeyDirectory
    /// The keys that were requested again.
    private let recalled: KnownKeys
    private let recall: KeyRecall?
    private let extent: @Sendable () -> Range<MediaSequenceNumber>?
    private let index = Mutex(PastKeyIndex())

    /// The most periods of keys that were requested again and are kept.
    package static let capacity = 4096
    private let mostKeys: Int

    /// - Parameters:
    ///   - directory: Knows the keys of the stream.
    ///   - source: The source of keys that are not derived; nil if it gets no further requests.
    ///   - mostKeys: The most keys whose IDs are known; if keys change more often, the oldest are not available.
    ///   - capacity: The most periods whose keys, requested again, are kept.
    ///   - extent: The extent of the recording; nil if it is empty.
    package init(
        directory: any KeyDirectory,
        source: (any KeySource)? = nil,
        mostKeys: Int = 1 << 16,
        capacity: Int = PastKeys.capacity,
        extent: @escaping @Sendable () -> Range<MediaSequenceNumber>?
    ) {
        (self.directory, self.mostKeys, self.extent) = (directory, mostKeys, extent)
        let store = KeyStore(capacity: capacity, eviction: .firstInserted)
        recalled = KnownKeys(store, periods: directory.periods, classes: directory.classes)
        recall = source.map { KeyRecall($0, classes: directory.classes.all, into: store) }
    }

    /// Returns the key with this ID if recorded media needs it; nil if there is none.
    ///
    /// This may take time.
    func key(_ keyID: KeyID) throws -> PeriodKey? {
        guard let extent = extent(), !extent.isEmpty else { return nil }
        let revision = directory.revision + recalled.revision
        let place = try index.withLock { index in
            try index.update(to: periods(of: extent), revision: revision) { period in
                try directory.classes.all.compactMap { try self.keyID(for: period, $0) }
            }
            return index[keyID]
        }
        guard let place else { return nil }
        return try directory.classes.all.lazy.compactMap { try key(for: place, $0) }.first { $0.keyID == keyID }
    }

    private func key(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> PeriodKey? {
        try directory.key(for: period, keyClass) ?? recalled.key(for: period, keyClass)
    }

    private func keyID(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> KeyID? {
        try directory.keyID(for: period, keyClass) ?? recalled.keyID(for: period, keyClass)
    }

    /// The newest periods of these slots, as many as there is room for; with the one before, whose key may have
    /// continued.
    private func periods(of slots: Range<MediaSequenceNumber>) -> ClosedRange<CryptoPeriod> {
        let newest = directory.periods.period(of: slots.upperBound.previous)
        let oldest = directory.periods.period(of: slots.lowerBound)
        let count = Int64(mostKeys / max(1, directory.classes.all.count))
        let first = max(oldest.index - 1, newest.index - count)
        return CryptoPeriod(min(first, newest.index))...newest
    }

    /// True if all keys are derived, so that none must be requested.
    var areDerived: Bool { directory.isDerived }

    /// The periods of some slots whose keys are unknown; empty if keys are derived.
    ///
    /// The search may block.
    func unknownPeriods(of slots: Range<MediaSequenceNumber>) -> [CryptoPeriod] {
        if areDerived { return [] }
        let periods = directory.periods
        let (first, last) = (periods.period(of: slots.lowerBound), periods.period(of: slots.upperBound.previous))
        return (first.index...last.index).map(CryptoPeriod.init).filter { period in
            directory.classes.all.allSatisfy { (try? key(for: period, $0)) == nil }
        }
    }

    /// Requests the keys of periods, and returns once they are known or were refused.
    func ask(for periods: [CryptoPeriod]) async { await recall?.ask(for: periods) }
}

/// The crypto periods of keys by their IDs.
private struct PastKeyIndex {
    private var periods: [KeyID: CryptoPeriod] = [:]
    private var known: ClosedRange<CryptoPeriod>?
    private var revision = 0

    subscript(keyID: KeyID) -> CryptoPeriod? { periods[keyID] }

    /// Takes in the keys of these periods, and no others.
    mutating func update(
        to wanted: ClosedRange<CryptoPeriod>,
        revision: Int,
        keyIDs: (CryptoPeriod) throws -> [KeyID]
    ) throws {
        if revision != self.revision { (periods, known) = ([:], nil) }
        if let known, known == wanted { return }
        if let known, known.lowerBound < wanted.lowerBound {
            periods = periods.filter { $0.value >= wanted.lowerBound }
        }
        for number in wanted.lowerBound.index...wanted.upperBound.index {
            let period = CryptoPeriod(number)
            if let known, known.contains(period) { continue }
            for keyID in try keyIDs(period) { periods[keyID] = period }
        }
        (known, self.revision) = (wanted, revision)
    }
}
