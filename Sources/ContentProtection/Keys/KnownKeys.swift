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

    /// Asks for as many periods at a time as the source answers, the newest first.
    @discardableResult
    package func recall(_ slots: Set<MediaSequenceNumber>, from source: any KeySource) async -> String? {
        var refusal: String?
        var rest = Set(slots.map(periods.period)).sorted(by: >)[...]
        while !rest.isEmpty, !Task.isCancelled {
            let some = rest.prefix(source.mostRequests)
            rest = rest.dropFirst(some.count)
            let reasons = await withTaskGroup(of: String?.self) { group in
                for period in some { group.addTask { await request(period, from: source) } }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            refusal = refusal ?? reasons.first
        }
        return refusal
    }

    /// Requests the missing keys of a period.
    ///
    /// - Returns: The source's reason if it has none.
    private func request(_ period: CryptoPeriod, from source: any KeySource) async -> String? {
        let missing = classes.all.filter { key(for: period, $0) == nil }
        guard !missing.isEmpty else { return nil }
        let (answers, answered) = AsyncStream<String>.makeStream()
        source.requestKeys(of: period, missing) { [store] answer in
            switch answer {
            case .success(let keys): for key in keys { store.insert(key) }
            case .failure(let error): answered.yield("\(error)")
            }
            answered.finish()
        }
        return await answers.first { _ in true }
    }
}
