/// A source of keys that asks another one only for those that a store lacks.
package struct StoredKeySource: KeySource {
    private let store: KeyStore
    private let source: any KeySource

    /// - Parameters:
    ///   - store: Has the keys that were given before.
    ///   - source: Gives the others.
    package init(_ store: KeyStore, otherwise source: any KeySource) {
        (self.store, self.source) = (store, source)
    }

    package var periods: CryptoPeriods { source.periods }

    package func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        let known = classes.compactMap { store.key(for: period, $0) }
        if !known.isEmpty { answer(.success(known)) }
        let missing = classes.filter { keyClass in !known.contains { $0.keyClass == keyClass } }
        if missing.isEmpty { return }
        source.requestKeys(of: period, missing) { result in
            // A server gives the keys of all classes; segments name those that are known.
            answer(result.map { keys in keys.filter { missing.contains($0.keyClass) } })
        }
    }
}
