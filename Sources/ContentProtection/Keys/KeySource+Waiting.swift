/// A key source that has not answered in time.
package struct KeySourceSilence: Error, Hashable, CustomStringConvertible {
    package var description: String { "the key source does not answer" }
}

extension KeySource {
    /// Asks for the keys of a crypto period, and waits for them.
    ///
    /// - Parameters:
    ///   - period: The period.
    ///   - classes: The classes whose keys are wanted.
    ///   - patience: The longest time to wait.
    /// - Returns: A key for each class, in their order.
    /// - Throws: The error of the source, or ``KeySourceSilence`` if it has not given all in time.
    package func keys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        within patience: Duration
    ) async throws -> [PeriodKey] {
        let (answers, answered) = AsyncStream<Result<[PeriodKey], any Error>>.makeStream()
        requestKeys(of: period, classes) { answer in _ = answered.yield(answer) }
        let limit = Task {
            try? await Task.sleep(for: patience)
            answered.finish()
        }
        defer { limit.cancel() }
        var keys: [KeyClass: PeriodKey] = [:]
        for await answer in answers {
            for key in try answer.get() { keys[key.keyClass] = key }
            let wanted = classes.compactMap { keys[$0] }
            if wanted.count == classes.count { return wanted }
        }
        throw KeySourceSilence()
    }
}
