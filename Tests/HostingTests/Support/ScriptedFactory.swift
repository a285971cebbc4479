import Logging
import Operations
import PackagerConfig
import Synchronization

@testable import Hosting

/// Puts channels together as the program does, but has them run by a script, and fails as a test says.
final class ScriptedFactory: ChannelFactory {
    /// Channels that were put together at once.
    struct Assembly {
        var names: [String]
        var predecessors: [String: ChannelPredecessor]
    }

    private struct State {
        var failures: [String: [Bool]] = [:]
        var problems: [String: String] = [:]
        var unwilling: Set<String> = []
        var assemblies: [Assembly] = []
        var runners: [String: [ScriptedRunner]] = [:]
    }

    private let assembly: ChannelAssembly
    private let state = Mutex(State())

    init(_ events: EventLog) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        assembly = ChannelAssembly(clock: StoppedClock(), events: events, logger: logger)
    }

    var volatileSecrets: VolatileSecrets { assembly.volatileSecrets }

    /// All that were put together, in order.
    var assemblies: [Assembly] { state.withLock { $0.assemblies } }

    /// Has the next attempts to put a channel together fail or not, in order; later ones do not.
    func fail(_ name: String, _ attempts: [Bool] = [true]) { state.withLock { $0.failures[name] = attempts } }

    /// Has a channel show a problem before it is put together.
    func find(_ problem: String?, with name: String) { state.withLock { $0.problems[name] = problem } }

    /// Has channels of a name close only when a test lets them.
    func holdClosing(of name: String) { state.withLock { _ = $0.unwilling.insert(name) } }

    /// Returns the runner of the newest channel of a name.
    func runner(_ name: String) -> ScriptedRunner? { state.withLock { $0.runners[name]?.last } }

    /// Returns the runners of the channels of a name, oldest first.
    func runners(_ name: String) -> [ScriptedRunner] { state.withLock { $0.runners[name] ?? [] } }

    func assemble(
        _ channels: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor]
    ) async throws(SetupError) -> [HostedChannel] {
        let names = channels.map(\.name)
        let failing = state.withLock { state in
            // A change of others puts none together.
            if !names.isEmpty { state.assemblies.append(Assembly(names: names, predecessors: predecessors)) }
            return names.filter { name in
                guard let isFailing = state.failures[name]?.first else { return false }
                state.failures[name]?.removeFirst()
                return isFailing
            }
        }
        if !failing.isEmpty { throw SetupError(failing.map { "channel \($0): it does not start" }) }
        return try await assembly.assemble(channels, after: predecessors).map { channel in
            HostedChannel(
                service: channel.service,
                origin: channel.origin,
                operation: channel.operation,
                streamIdentity: channel.streamIdentity,
                runner: makeRunner(channel.name)
            )
        }
    }

    func problems(
        of channels: [ChannelConfiguration],
        after identities: [String: [String: String]]
    ) async -> [SetupProblem] {
        let scripted = state.withLock { state in
            channels.compactMap { state.problems[$0.name] }.map { SetupProblem($0) }
        }
        return scripted
            + channels.compactMap { assembly.problem(ofKeysOf: $0, after: identities[$0.name]) }
    }

    private func makeRunner(_ name: String) -> ScriptedRunner {
        let runner = ScriptedRunner()
        return state.withLock { state in
            if !state.unwilling.contains(name) { runner.mayClose.happen() }
            state.runners[name, default: []].append(runner)
            return runner
        }
    }
}
