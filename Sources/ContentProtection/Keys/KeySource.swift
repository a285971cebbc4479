/// A source of a channel's content keys.
///
/// It may be slow, may fail, and may never answer: callers continue meanwhile.
package protocol KeySource: Sendable {
    var periods: CryptoPeriods { get }

    /// The most periods whose keys are requested at a time.
    var mostRequests: Int { get }

    /// Asks for the keys of a crypto period, and returns without waiting for anything.
    ///
    /// - Parameters:
    ///   - period: The period; requested ahead of time, and again after a failure.
    ///   - classes: The classes whose keys are wanted.
    ///   - answer: Called on any thread, now or later, with keys of the period: with all at once, or with some each time. An
    ///     error means that there are no more, and is shown to operators.
    func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    )
}

extension KeySource {
    /// As many as a server answers at once.
    package var mostRequests: Int { 8 }
}
