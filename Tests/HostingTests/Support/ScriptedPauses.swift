import Synchronization

/// The pauses of a service, in each of which a test does something; they end with the script.
final class ScriptedPauses: Sendable {
    typealias Action = @Sendable () throws -> Void

    private struct State {
        var actions: [Action]
        var durations: [Duration] = []
    }

    private let state: Mutex<State>

    /// - Parameter actions: The actions in the pauses; the service is cancelled in the one after the last.
    init(_ actions: [Action]) {
        state = Mutex(State(actions: actions))
    }

    /// The lengths that the pauses were to have.
    var durations: [Duration] { state.withLock { $0.durations } }

    @Sendable func sleep(_ duration: Duration) async throws {
        let action: Action? = state.withLock { state in
            state.durations.append(duration)
            return state.actions.isEmpty ? nil : state.actions.removeFirst()
        }
        guard let action else { throw CancellationError() }
        try action()
    }
}
