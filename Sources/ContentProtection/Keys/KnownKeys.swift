package import MediaCore

/// The keys that a source has given so far.
package struct KnownKeys: KeyDirectory {
    package let periods: CryptoPeriods
    package let classes: KeyClasses
    private let store: KeyStore

    package init(_ store: KeyStore, periods: CryptoPeriods, classes: KeyClasses = KeyClasses()) {
        self.store = store
        self.periods = periods
        self.classes = classes
    }

    package var isDerived: Bool { false }

    package var revision: Int { store.revision }

    package func key(for period: CryptoPeriod, _ keyClass: KeyClass) -> PeriodKey? {
        store.key(for: period, keyClass)
    }

    package func keyID(for period: CryptoPeriod, _ keyClass: KeyClass) -> KeyID? { key(for: period, keyClass)?.keyID }

    /// The keys for these slots, by the rules of ``KeyDirectory``, and the key before those, because it may have
    /// continued while the first of them was late.
    package func keys(availableFor slots: Set<MediaSequenceNumber>) -> [KeyID: PeriodKey] {
        guard let first = slots.min(), let last = slots.max() else { return [:] }
        let (oldest, newest) = (periods.period(of: first), periods.period(of: last).next)
        var available: [KeyID: PeriodKey] = [:]
        for keyClass in classes.all {
            let known = store.keys(of: keyClass)
            let before = known.keys.filter { $0 < oldest }.max() ?? oldest
            for (period, key) in known where before...newest ~= period { available[key.keyID] = key }
        }
        return available
    }

    /// Asks for one period after the other, the newest first.
    @discardableResult
    package func recall(_ slots: Set<MediaSequenceNumber>, from source: any KeySource) async -> String? {
        var refusal: String?
        for period in Set(slots.map(periods.period)).sorted(by: >) {
            let missing = classes.all.filter { key(for: period, $0) == nil }
            guard !missing.isEmpty else { continue }
            let (answers, answered) = AsyncStream<String>.makeStream()
            source.requestKeys(of: period, missing) { [store] answer in
                switch answer {
                case .success(let keys): for key in keys { store.insert(key) }
                case .failure(let error): answered.yield("\(error)")
                }
                answered.finish()
            }
            for await reason in answers { refusal = refusal ?? reason }
        }
        return refusal
    }
}
