package import MediaCore

/// Keys that are derived are known at once.
extension KeySchedule: KeySource {
    package func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        answer(Result { try classes.map { try keys(for: period, $0) } })
    }
}

extension KeySchedule: KeyDirectory {
    package var isDerived: Bool { true }

    /// Always zero: derived keys are known from the beginning.
    package var revision: Int { 0 }

    package func key(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> PeriodKey? {
        try keys(for: period, keyClass)
    }

    package func keyID(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> KeyID? {
        try derivedKeyID(for: period, keyClass)
    }

    /// Does nothing: keys can be derived again.
    @discardableResult
    package func recall(_ slots: Set<MediaSequenceNumber>, from source: any KeySource) async -> String? { nil }
}
