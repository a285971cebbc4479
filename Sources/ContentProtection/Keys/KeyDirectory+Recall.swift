package import MediaCore

extension KeyDirectory {
    /// Asks a source for the keys of published slots until all are known, or the slots without have left the window.
    ///
    /// A source that is away is asked for few periods at a time, and ever less often.
    ///
    /// - Parameters:
    ///   - slots: Returns the slots whose keys players may need.
    ///   - source: The key source.
    ///   - sleep: Waits before the next question.
    ///   - onChange: Called with the source's reason when keys are missing, once, and with nil when none is any more.
    package func recallAll(
        _ slots: @Sendable () -> Set<MediaSequenceNumber>,
        from source: any KeySource,
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onChange: @Sendable (String?) -> Void
    ) async {
        var (isReported, pause) = (false, RecallPace.shortest)
        // The last period that was asked for, the newest being first.
        var last: CryptoPeriod?
        while !Task.isCancelled {
            let wanted = slots()
            let missing = Set(wanted.map(periods.period)).filter(lacksKeys).sorted(by: >)
            if missing.isEmpty {
                if isReported { onChange(nil) }
                return
            }
            let older = missing.filter { period in last.map { period < $0 } ?? true }
            let asked = Set((older.isEmpty ? missing : older).prefix(RecallPace.periods))
            last = asked.min()
            guard let reason = await recall(wanted.filter { asked.contains(periods.period(of: $0)) }, from: source)
            else {
                pause = RecallPace.shortest
                // A source that gives fewer keys than it was asked for, and no reason, has no others.
                if asked.allSatisfy(lacksKeys) { return }
                continue
            }
            if Task.isCancelled { return }
            // A class that the source lacks is no fault.
            if !asked.contains(where: lacksKeys) { continue }
            if !isReported { onChange(reason) }
            isReported = true
            guard (try? await sleep(pause)) != nil else { return }
            pause = min(pause * 2, RecallPace.longest)
        }
    }

    /// Returns true if some key of each period of these slots is known.
    package func hasKeys(of slots: Set<MediaSequenceNumber>) -> Bool {
        isDerived || !Set(slots.map(periods.period)).contains(where: lacksKeys)
    }

    /// Returns true if no key of a period is known: a source need not have keys of all classes.
    private func lacksKeys(of period: CryptoPeriod) -> Bool {
        classes.all.allSatisfy { (try? key(for: period, $0)) ?? nil == nil }
    }
}

/// The pace at which a key source is asked again.
private enum RecallPace {
    /// The most periods that are asked for before a pause.
    static let periods = 8
    static let shortest = Duration.seconds(2)
    static let longest = Duration.seconds(30)
}
