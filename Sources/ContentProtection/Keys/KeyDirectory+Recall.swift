package import MediaCore

/// A change of the keys that players need of segments from before a restart.
package enum KeyAvailabilityChange: Hashable, Sendable {
    /// Some are missing, for this reason of the key source.
    case missing(String)
    /// All are known.
    case known
    /// The segments whose keys were missing have left the window.
    case expired
}

extension KeyDirectory {
    /// Asks a source for the keys of published slots until all are known, or the slots without have left the window.
    ///
    /// A source that is away is asked for few periods at a time, and ever less often.
    ///
    /// - Parameters:
    ///   - slots: Returns the slots whose keys players may need.
    ///   - source: The key source.
    ///   - sleep: Waits before the next question.
    ///   - onChange: Called when keys are missing, once, and when none is any more.
    package func recallAll(
        _ slots: @Sendable () -> Set<MediaSequenceNumber>,
        from source: any KeySource,
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onChange: @Sendable (KeyAvailabilityChange) -> Void
    ) async {
        var pace = RecallPace()
        while !Task.isCancelled {
            let needed = Set(slots().map(periods.period))
            let missing = needed.filter(lacksKeys)
            let earlier = pace.earlier(needed.min(), if: lacksKeys)
            if missing.isEmpty, earlier == nil {
                if let reported = pace.reported { onChange(reported.contains(where: lacksKeys) ? .expired : .known) }
                return
            }
            let asked = pace.next(of: missing, atMost: source.mostRequests)
            let all = asked.union([earlier].compactMap(\.self))
            guard let reason = await recall(Set(all.compactMap(firstSlot)), from: source) else {
                pace.succeeded()
                // A source that gives no key, and no reason, has none.
                if all.allSatisfy(lacksKeys) { return }
                continue
            }
            if Task.isCancelled { return }
            // A class that the source lacks is no fault.
            if !asked.isEmpty, !asked.contains(where: lacksKeys) { continue }
            if !asked.isEmpty, pace.reported == nil { onChange(.missing(reason)) }
            if !asked.isEmpty { pace.reported = (pace.reported ?? []).union(asked.filter(lacksKeys)) }
            guard (try? await sleep(pace.pause)) != nil else { return }
            pace.failed()
        }
    }

    /// Returns true if some key is known of each period of these slots, and of the one before.
    package func hasKeys(of slots: Set<MediaSequenceNumber>) -> Bool {
        if isDerived { return true }
        let needed = Set(slots.map(periods.period))
        let before = needed.min().map { CryptoPeriod($0.index - 1) }
        return !needed.union([before].compactMap(\.self)).contains(where: lacksKeys)
    }

    /// Returns true if no key of a period is known: a source need not have keys of all classes.
    private func lacksKeys(of period: CryptoPeriod) -> Bool {
        classes.all.allSatisfy { (try? key(for: period, $0)) ?? nil == nil }
    }

    /// The first slot of a period; keys that never change are those of any slot.
    private func firstSlot(of period: CryptoPeriod) -> MediaSequenceNumber? {
        periods.firstSlot(of: period) ?? MediaSequenceNumber(0)
    }
}

/// The pace at which a key source is asked again, and what for.
private struct RecallPace {
    private(set) var pause = shortest
    /// The periods that were reported as missing; nil if none was.
    var reported: Set<CryptoPeriod>?
    /// The last period that was asked for, the newest being first.
    private var last: CryptoPeriod?
    /// The period before all others, and the questions for it.
    private var before: (period: CryptoPeriod, questions: Int)?

    private static let shortest = Duration.seconds(2)
    private static let longest = Duration.seconds(30)
    /// The most questions for a key that segments may not need.
    private static let mostQuestions = 6

    /// The period before the oldest: a key that was late may have left the first slots to the key before it.
    ///
    /// - Returns: Nil if it is known, or was asked for often enough.
    mutating func earlier(_ oldest: CryptoPeriod?, if lacksKeys: (CryptoPeriod) -> Bool) -> CryptoPeriod? {
        guard let oldest else { return nil }
        let period = CryptoPeriod(oldest.index - 1)
        guard lacksKeys(period) else { return nil }
        let questions = before?.period == period ? before?.questions ?? 0 : 0
        guard questions < Self.mostQuestions else { return nil }
        before = (period, questions + 1)
        return period
    }

    /// The periods to ask for next, each in its turn.
    mutating func next(of missing: Set<CryptoPeriod>, atMost count: Int) -> Set<CryptoPeriod> {
        let older = missing.filter { period in last.map { period < $0 } ?? true }
        let next = (older.isEmpty ? missing : older).sorted(by: >).prefix(count)
        last = next.last ?? last
        return Set(next)
    }

    mutating func succeeded() { pause = Self.shortest }

    mutating func failed() { pause = min(pause * 2, Self.longest) }
}
