import Synchronization

/// Finds the advertisements for breaks.
///
/// The source is asked once for all viewers, and within a time limit.
///
/// Neither playlists nor packaging depend on it.
package final class AdDecisions: Sendable {
    /// The answer to a question about a break.
    package enum Answer: Hashable, Sendable {
        case assets(AssetList)
        /// No ad to play; the reason in words.
        case nothing(String)
    }

    private struct Entry {
        var task: Task<Answer, Never>
        /// The time when the source failed; nil if it has not.
        var failed: ContinuousClock.Instant?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The oldest first.
        var order: [String] = []
        var running = 0
    }

    private let source: any AdSource
    private let timeout: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let onProblem: @Sendable (AdBreak, String) -> Void
    private let state = Mutex(State())

    /// The most breaks that are kept, more than a window has; beyond it, the oldest are requested anew.
    private static let most = 256
    /// The most breaks that wait for their source at the same time.
    private static let mostAtOnce = 16
    /// The time for which a source that has failed is left alone.
    private static let pause = Duration.seconds(10)

    /// - Parameters:
    ///   - source: Asked once for each break.
    ///   - timeout: The time that the source may take to answer.
    ///   - onProblem: Called with the reason why a break has nothing to play.
    ///   - now: The clock by which the pause after a failure is counted.
    package init(
        _ source: any AdSource,
        timeout: Duration,
        onProblem: @escaping @Sendable (AdBreak, String) -> Void = { _, _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.source, self.timeout, self.now, self.onProblem) = (source, timeout, now, onProblem)
    }

    /// Returns the advertisements of a break, which are the same for all viewers, except after a failure.
    package func answer(for adBreak: AdBreak) async -> Answer {
        let task: Task<Answer, Never>? = state.withLock { state in
            if let entry = state.entries[adBreak.id], entry.failed.map({ $0.duration(to: now()) < Self.pause }) ?? true
            {
                return entry.task
            }
            guard state.running < Self.mostAtOnce else { return nil }
            state.running += 1
            let task = Task { await self.ask(adBreak) }
            if state.entries.updateValue(Entry(task: task), forKey: adBreak.id) == nil {
                state.order.append(adBreak.id)
            }
            if state.order.count > Self.most { state.entries[state.order.removeFirst()] = nil }
            return task
        }
        guard let task else { return .nothing("too many requests for breaks at once") }
        return await task.value
    }

    private func ask(_ adBreak: AdBreak) async -> Answer {
        let answer: Answer
        do {
            answer = .assets(try await limited(to: timeout) { [source] in try await source.assets(for: adBreak) })
        } catch {
            answer = .nothing("\(error)")
            onProblem(adBreak, "\(error)")
        }
        state.withLock { state in
            state.running -= 1
            if case .nothing = answer { state.entries[adBreak.id]?.failed = now() }
        }
        return answer
    }
}

/// Waits for work within a time limit, even if it ignores its cancellation.
private func limited<Result: Sendable>(
    to timeout: Duration,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let race = Race<Result>()
    let worker = Task {
        do { race.end(.success(try await work())) } catch { race.end(.failure(error)) }
    }
    let alarm = Task {
        try await Task.sleep(for: timeout)
        race.end(.failure(AdSourceError("it has not answered in time")))
    }
    defer {
        worker.cancel()
        alarm.cancel()
    }
    return try await withCheckedThrowingContinuation { race.begin($0) }
}

/// Waits for the first of two to end; the other's result is dropped.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case running(CheckedContinuation<Value, any Error>?)
        case ended(Result<Value, any Error>?)
    }

    private let state = Mutex(State.running(nil))

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let result: Result<Value, any Error>? = state.withLock { state in
            if case .ended(let result) = state { return result }
            state = .running(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    func end(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            guard case .running(let continuation) = state else { return nil }
            state = .ended(result)
            return continuation
        }
        continuation?.resume(with: result)
    }
}
