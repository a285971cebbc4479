import ContentProtection
import MediaCore
import Synchronization

/// A source that answers when a test says so.
final class SlowSource: KeySource {
    struct Refusal: Error, CustomStringConvertible {
        var description: String { "the server answered 403" }
    }

    private typealias Answer = @Sendable (Result<[PeriodKey], any Error>) -> Void

    private struct State {
        var isRefusing = false
        var waiting: [(period: CryptoPeriod, classes: [KeyClass], answer: Answer)] = []
        var asked = 0
    }

    private let schedule: KeySchedule
    private let state = Mutex(State())

    init(_ schedule: KeySchedule) { self.schedule = schedule }

    var periods: CryptoPeriods { schedule.periods }

    /// The number of times that it was asked.
    var asked: Int { state.withLock(\.asked) }

    func requestKeys(
        of period: CryptoPeriod,
        _ classes: [KeyClass],
        answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
    ) {
        let isRefusing = state.withLock { state in
            state.asked += 1
            if !state.isRefusing { state.waiting.append((period, classes, answer)) }
            return state.isRefusing
        }
        if isRefusing { answer(.failure(Refusal())) }
    }

    /// Answers all that was asked.
    func answer() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in waiting { schedule.requestKeys(of: request.period, request.classes, answer: request.answer) }
    }

    /// Refuses all that will be asked.
    func refuse() { state.withLock { $0.isRefusing = true } }
}
