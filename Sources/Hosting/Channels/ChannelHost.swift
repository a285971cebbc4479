import Channels
import Origin
import PackagerConfig
import Presentation
import Synchronization

/// Runs the channels of the process, which come and go while others are served.
final class ChannelHost: Sendable {
    /// The channels that are served.
    let registry: ChannelRegistry<HostedChannel>
    let factory: any ChannelFactory
    private let onCount: @Sendable (Int) -> Void
    let state = Mutex(State())
    private let end = AsyncStream<Never>.makeStream()

    struct State {
        /// True if channels that are added are started at once.
        var isRunning = false
        /// True while another process takes all channels over.
        var isReleased = false
        /// The channels that have something open, by name.
        var configurations: [String: ChannelConfiguration] = [:]
        /// Names of the channels that are closed until others take their places.
        var paused: Set<String> = []
        /// The tasks that run channels, by the name of the channel.
        var tasks: [String: Task<Void, Never>] = [:]
        var errors: [FeedError] = []
        /// True once every channel has ended by itself.
        var haveAllEnded = false
    }

    /// - Parameters:
    ///   - factory: Puts the channels together.
    ///   - registry: The registry in which they are found.
    ///   - onCount: Called with the number of channels that have something open, whenever it changes; under the lock of
    ///     the host.
    init(
        _ factory: any ChannelFactory,
        registry: ChannelRegistry<HostedChannel> = ChannelRegistry(),
        onCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.factory = factory
        self.registry = registry
        self.onCount = onCount
    }

    /// Adds channels: they are served from now on, and their feeds are read as soon as the host runs.
    ///
    /// - Parameters:
    ///   - channels: As a configuration that was read and checked has them. Those of the programs of one feed have to
    ///     come together.
    ///   - predecessors: The state of the replaced channels, by name.
    /// - Throws: ``SetupError`` with everything that keeps them from it; then none was added.
    func add(
        _ channels: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor] = [:]
    ) async throws(SetupError) {
        let taken = try take(channels.map(\.name))
        do throws(SetupError) {
            try claim(channels)
            try await put(channels, after: predecessors)
        } catch {
            for name in taken { free(name) }
            throw error
        }
    }

    /// Reserves the names of new channels.
    ///
    /// - Returns: The names, which are to be freed if the channels are not added.
    /// - Throws: ``SetupError`` if some of them exist; then none is reserved.
    func take(_ names: [String]) throws(SetupError) -> [String] {
        let taken = names.filter(registry.take)
        let refused = names.filter { !taken.contains($0) }
        guard refused.isEmpty else {
            for name in taken { free(name) }
            throw SetupError(refused.map { "channel \($0): this name is in use, or was until a moment ago" })
        }
        return taken
    }

    /// Reports again how many channels have files or sockets open, because the limits have changed.
    func updateLimits() { state.withLock { onCount($0.configurations.count) } }

    /// Puts channels together, and has them served and run.
    func put(
        _ channels: [ChannelConfiguration],
        after predecessors: [String: ChannelPredecessor] = [:]
    ) async throws(SetupError) {
        for channel in try await factory.assemble(channels, after: predecessors) {
            let before: HostedChannel? = registry[channel.name[...]]
            registry.add(channel, as: channel.name)
            // Requests that wait at the former channel are repeated at this one.
            before?.origin.presentation.endWaits()
            state.withLock { state in
                state.paused.remove(channel.name)
                if state.isRunning { start(channel, &state) }
            }
            FormerInput.keepHolds(predecessors[channel.name]?.inputs ?? [], in: channel)
        }
    }

    /// The channels that have something open.
    var configurations: [ChannelConfiguration] { state.withLock { Array($0.configurations.values) } }

    /// The reason why nothing can change any more.
    private static let release = "an upgrade hands all channels to another process: ask that one"

    /// Makes sure that another process does not have the channels, nor their files.
    ///
    /// - Throws: ``SetupError`` if it has.
    func requireChannels() throws(SetupError) {
        if state.withLock(\.isReleased) { throw SetupError([Self.release]) }
    }

    /// Returns what keeps channels from running beside those that have something open, in phrases.
    ///
    /// - Parameters:
    ///   - channels: The channels to run, some of them in the places of those of their names.
    ///   - removed: The names of channels that go once these run.
    /// - Returns: The phrases; none if nothing keeps them from it.
    func conflicts(of channels: [ChannelConfiguration], removing removed: Set<String>) -> [String] {
        Self.conflicts(of: channels, beside: configurations, removing: removed)
    }

    /// See ``conflicts(of:removing:)``; the running channels are `running`.
    static func conflicts(
        of channels: [ChannelConfiguration],
        beside running: [ChannelConfiguration],
        removing removed: Set<String>
    ) -> [String] {
        let going = running.filter { removed.contains($0.name) }
        let staying = running.filter { !removed.contains($0.name) }
        let remedy = "; remove \(removed.sorted().joined(separator: ", ")) first, in a reload of its own"
        return conflicts(of: channels, with: staying) + conflicts(of: channels, with: going).map { $0 + remedy }
    }

    private static func conflicts(
        of channels: [ChannelConfiguration],
        with others: [ChannelConfiguration]
    ) -> [String] {
        let names = Set(channels.map(\.name))
        let others = others.filter { !names.contains($0.name) }
        return channels.flatMap { channel in
            channel.conflicts(with: others).map { "channel \(channel.name): \($0)" }
        }
    }

    /// Makes sure that no other channel writes where these channels write.
    ///
    /// - Throws: ``SetupError`` with the conflicts; then nothing has changed.
    func claim(_ channels: [ChannelConfiguration]) throws(SetupError) {
        let problems = state.withLock { state in
            if state.isReleased { return [Self.release] }
            let problems = Self.conflicts(of: channels, with: Array(state.configurations.values))
            if problems.isEmpty {
                for channel in channels { state.configurations[channel.name] = channel }
                onCount(state.configurations.count)
            }
            return problems
        }
        guard problems.isEmpty else { throw SetupError(problems) }
    }

    /// Frees the name of a channel that has gone completely.
    func free(_ name: String) {
        state.withLock { state in
            if state.configurations.removeValue(forKey: name) != nil { onCount(state.configurations.count) }
        }
        registry.free(name)
    }

    /// Removes a channel: it is served no longer, its feeds are released, its decisions are published, and its files
    /// and sockets are closed.
    ///
    /// - Parameters:
    ///   - name: Its name, which is free again once this returns.
    ///   - ends: True if its stream is over; else it resumes where a channel of its name is added again, here or
    ///     elsewhere.
    /// - Returns: True if there was one.
    func remove(_ name: String, ends: Bool) async -> Bool {
        guard let channel = registry.remove(name) else { return false }
        await close(channel, ends: ends)
        channel.origin.presentation.endWaits()
        free(name)
        return true
    }

    /// Closes a channel until another takes its place.
    func pause(_ channel: HostedChannel) async {
        state.withLock { _ = $0.paused.insert(channel.name) }
        await close(channel, ends: false)
    }

    private func close(_ channel: HostedChannel, ends: Bool) async {
        // The end of this channel does not end the program.
        let task = state.withLock { $0.tasks.removeValue(forKey: channel.name) }
        await channel.runner.close(ends: ends)
        task?.cancel()
        await task?.value
    }

    /// Returns once every channel that ends the program has ended, or the host is stopped.
    ///
    /// - Throws: ``FeedError`` if one of them had no media.
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
        // A channel that was stopped has not ended for want of a feed.
        let errors = state.withLock { state in state.errors.filter { state.haveAllEnded || !$0.isEndOfPipes } }
        if !errors.isEmpty { throw FeedError(errors) }
    }

    /// Stops all channels.
    func stop() { end.continuation.finish() }

    private func start(_ channel: HostedChannel, _ state: inout State) {
        guard state.tasks[channel.name] == nil, !state.paused.contains(channel.name) else { return }
        state.tasks[channel.name] = Task { ended(channel.name, await channel.runner.run()) }
    }

    private func ended(_ name: String, _ error: FeedError?) {
        let isLast = state.withLock { state in
            guard state.tasks.removeValue(forKey: name) != nil else { return false }
            if let error { state.errors.append(error) }
            // Channels that a stop ends have not ended by themselves.
            let isLast = state.tasks.isEmpty && state.paused.isEmpty
            state.haveAllEnded = state.isRunning && isLast
            return isLast
        }
        if isLast { stop() }
    }
}
