import Channels
import PackagerConfig
import Synchronization

/// Runs the channels of the process, which come and go while others are served.
final class ChannelHost: Sendable {
    /// Those that are served.
    let registry: ChannelRegistry<HostedChannel>
    private let assembly: ChannelAssembly
    private let onCount: @Sendable (Int) -> Void
    private let state = Mutex(State())
    private let end = AsyncStream<Never>.makeStream()

    private struct State {
        /// Whether what is added is started at once.
        var isRunning = false
        /// Those of the channels that have something open, by name.
        var configurations: [String: ChannelConfiguration] = [:]
        /// By the channel's name.
        var tasks: [String: Task<Void, Never>] = [:]
        var errors: [FeedError] = []
    }

    /// - Parameters:
    ///   - assembly: Puts them together.
    ///   - registry: Where they are found.
    ///   - onCount: Told how many channels have something open, whenever that changes; under the lock of the host.
    init(
        _ assembly: ChannelAssembly,
        registry: ChannelRegistry<HostedChannel> = ChannelRegistry(),
        onCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.assembly = assembly
        self.registry = registry
        self.onCount = onCount
    }

    /// Adds channels: they are served from now on, and their feeds are read as soon as the host runs.
    ///
    /// - Parameter channels: As a configuration that was read and checked has them. Those of the programs of one feed have
    ///   to come together.
    /// - Throws: ``SetupError`` with everything that keeps them from it; then none was added.
    func add(_ channels: [ChannelConfiguration]) async throws(SetupError) {
        let names = channels.map(\.name)
        let taken = names.filter(registry.take)
        do throws(SetupError) {
            let refused = names.filter { !taken.contains($0) }
            guard refused.isEmpty else {
                throw SetupError(refused.map { "channel \($0): there is one of this name, or has been until now" })
            }
            try claim(channels)
            for channel in try await assembly.assemble(channels) {
                registry.add(channel, as: channel.name)
                state.withLock { if $0.isRunning { start(channel, &$0) } }
            }
        } catch {
            for name in taken { free(name) }
            throw error
        }
    }

    /// Has nobody else write where these channels write.
    private func claim(_ channels: [ChannelConfiguration]) throws(SetupError) {
        let problems = state.withLock { state in
            let others = Array(state.configurations.values)
            let problems = channels.flatMap { channel in
                channel.conflicts(with: others).map { "channel \(channel.name): \($0)" }
            }
            if problems.isEmpty {
                for channel in channels { state.configurations[channel.name] = channel }
                onCount(state.configurations.count)
            }
            return problems
        }
        guard problems.isEmpty else { throw SetupError(problems) }
    }

    /// Nothing of the channel of that name is left.
    private func free(_ name: String) {
        state.withLock { state in
            if state.configurations.removeValue(forKey: name) != nil { onCount(state.configurations.count) }
        }
        registry.free(name)
    }

    /// Removes a channel: it is served no longer, its feeds are let go, what it has decided is published, and what it had
    /// open is closed.
    ///
    /// - Parameters:
    ///   - name: Its name, which is free again once this returns.
    ///   - ends: Whether its stream is over, or goes on where a channel of its name is added again, here or elsewhere.
    /// - Returns: Whether there was one.
    func remove(_ name: String, ends: Bool) async -> Bool {
        guard let channel = registry.remove(name) else { return false }
        // Its end is no reason to end the program.
        let task = state.withLock { $0.tasks.removeValue(forKey: name) }
        await channel.service.close(ends: ends)
        task?.cancel()
        await task?.value
        free(name)
        return true
    }

    /// Returns when every channel has ended that ends the program, or the host was told to stop.
    ///
    /// - Throws: ``FeedError`` where one of them had nothing to give.
    func run() async throws {
        state.withLock { state in
            state.isRunning = true
            for channel in registry.members { start(channel, &state) }
        }
        for await _ in end.stream {}
        let tasks = state.withLock { state in
            state.isRunning = false
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        let errors = state.withLock { $0.errors }
        if !errors.isEmpty { throw FeedError(errors) }
    }

    /// Has all channels leave off.
    func stop() { end.continuation.finish() }

    private func start(_ channel: HostedChannel, _ state: inout State) {
        guard state.tasks[channel.name] == nil else { return }
        state.tasks[channel.name] = Task { ended(channel.name, await channel.service.run()) }
    }

    private func ended(_ name: String, _ error: FeedError?) {
        let isLast = state.withLock { state in
            guard state.tasks.removeValue(forKey: name) != nil else { return false }
            if let error { state.errors.append(error) }
            return state.tasks.isEmpty
        }
        if isLast { stop() }
    }
}
