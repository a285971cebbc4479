import ContentProtection
import MediaCore
import Synchronization

/// Asks a key source for keys that it has given before: each period once at a time, and not again soon after it failed.
final class KeyRecall: Sendable {
    private let source: any KeySource
    private let classes: [KeyClass]
    private let store: KeyStore
    private let patience: Duration
    private let state = Mutex(State())

    private struct State {
        var tasks: [CryptoPeriod: Task<Void, Never>] = [:]
        /// The requested periods and the times of the requests, oldest first.
        var asked: [(period: CryptoPeriod, at: ContinuousClock.Instant)] = []
    }

    /// The most periods of one range: those of a day with a new key every quarter of an hour.
    static let mostPeriods = 96
    /// The time before a period is requested again.
    private static let pause = Duration.seconds(60)
    /// The time that a source may take for an answer, unless stated.
    package static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - source: The source.
    ///   - classes: The classes of tracks whose keys are requested.
    ///   - store: Gets the keys.
    ///   - patience: The time that the source may take for an answer.
    init(_ source: any KeySource, classes: [KeyClass], into store: KeyStore, patience: Duration = patience) {
        (self.source, self.classes, self.store, self.patience) = (source, classes, store, patience)
    }

    /// Returns once the source has answered for all periods, has failed, or takes too long.
    func ask(for periods: [CryptoPeriod]) async {
        guard periods.count <= Self.mostPeriods else { return }
        var rest = periods[...]
        while !rest.isEmpty {
            let (some, start) = (rest.prefix(source.mostRequests), ContinuousClock.now)
            rest = rest.dropFirst(some.count)
            for task in some.compactMap({ task(for: $0) }) { await task.value }
            // Viewers wait: a source that does not answer is not waited for once more.
            if ContinuousClock.now - start >= patience { return }
        }
    }

    /// Begins a request for a period, and returns at once.
    func askSoon(for period: CryptoPeriod) { _ = task(for: period) }

    /// The request for a period, begun or under way; nil if there was one a moment ago.
    private func task(for period: CryptoPeriod) -> Task<Void, Never>? {
        let now = ContinuousClock.now
        return state.withLock { state in
            if let task = state.tasks[period] { return task }
            state.asked.removeAll { $0.at < now - Self.pause }
            // As many ranges as there are make no more requests than this.
            guard state.asked.count < Self.mostPeriods * 4, !state.asked.contains(where: { $0.period == period }) else {
                return nil
            }
            state.asked.append((period, now))
            let task = Task { [self] in
                await request(period)
                self.state.withLock { $0.tasks[period] = nil }
            }
            state.tasks[period] = task
            return task
        }
    }

    private func request(_ period: CryptoPeriod) async {
        let (answers, answered) = AsyncStream<Void>.makeStream()
        source.requestKeys(of: period, classes) { [store] answer in
            for key in (try? answer.get()) ?? [] { store.insert(key) }
            answered.finish()
        }
        let limit = Task { [patience] in
            try? await Task.sleep(for: patience)
            answered.finish()
        }
        for await _ in answers {}
        limit.cancel()
    }
}
