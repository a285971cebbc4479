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
    ///   - patience: The time that the source may take for an answer.
    ///   - extent: The extent of the recording; nil if it is empty.
    package init(
        directory: any KeyDirectory,
        source: (any KeySource)? = nil,
        mostKeys: Int = 1 << 16,
        capacity: Int = PastKeys.capacity,
        patience: Duration = KeyRecall.patience,
        extent: @escaping @Sendable () -> Range<MediaSequenceNumber>?
    ) {
        (self.directory, self.mostKeys, self.extent) = (directory, mostKeys, extent)
        let store = KeyStore(capacity: capacity, eviction: .firstInserted)
        recalled = KnownKeys(store, periods: directory.periods, classes: directory.classes)
        recall = source.map { KeyRecall($0, classes: directory.classes.all, into: store, patience: patience) }
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

    /// Returns the key with this ID that encrypts a slot, also if the slot is no longer recorded.
    ///
    /// It never waits: the source is asked for an unknown key, and a later request gets it.
    ///
    /// - Parameters:
    ///   - keyID: The ID.
    ///   - slot: A slot of finished recordings that the key encrypts.
    /// - Returns: The key; nil if the source now gives others.
    /// - Throws: `MissingKey` if the source has not given it to this process yet.
    package func key(_ keyID: KeyID, of slot: MediaSequenceNumber) throws -> PeriodKey? {
        let period = directory.periods.period(of: slot)
        var unknown: CryptoPeriod?
        // A key that was late has left the slot to the key before it.
        let before = directory.periods.slotsPerPeriod == nil ? [] : [CryptoPeriod(period.index - 1)]
        for period in [period] + before {
            let keys = try directory.classes.all.compactMap { try key(for: period, $0) }
            if let key = keys.first(where: { $0.keyID == keyID }) { return key }
            if unknown == nil, isUnknown(period) { unknown = period }
        }
        guard let unknown else { return nil }
        recall?.askSoon(for: unknown)
        throw MissingKey()
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
        return (first.index...last.index).map(CryptoPeriod.init).filter(isUnknown)
    }

    /// The periods of some slots, in any order, whose keys are unknown; empty if keys are derived, or if the slots
    /// are more than the source is asked for.
    func unknownPeriods(ofKeysAt slots: [MediaSequenceNumber]) -> [CryptoPeriod] {
        if areDerived || slots.count > KeyRecall.mostPeriods * directory.classes.all.count { return [] }
        return Set(slots.map(directory.periods.period)).sorted().filter(isUnknown)
    }

    private func isUnknown(_ period: CryptoPeriod) -> Bool {
        directory.classes.all.allSatisfy { (try? key(for: period, $0)) == nil }
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
