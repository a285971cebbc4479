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
