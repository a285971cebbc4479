import Channels
import Operations
import PackagerConfig
import Synchronization
import TestSupport

@testable import Hosting

/// A host whose channels read nothing, with its events.
struct Stage: Sendable {
    let events = EventLog()
    let factory: ScriptedFactory
    let host: ChannelHost
    private let told: Told

    private final class Told: Sendable {
        let counts = Mutex<[Int]>([])
    }

    init() {
        let told = Told()
        factory = ScriptedFactory(events)
        host = ChannelHost(factory) { count in told.counts.withLock { $0.append(count) } }
        self.told = told
    }

    /// The numbers of channels that had something open, as the host reported them.
    var counts: [Int] { told.counts.withLock { $0 } }

    /// The texts of the recorded events, oldest first.
    var messages: [String] { events.entries().map(\.event.message) }

    /// Names of the channels that are served.
    var names: [String] { host.registry.names }

    func add(_ names: String...) async throws {
        try await host.add(names.map { try Self.channel($0) })
    }

    /// Does something while the host runs.
    func running(_ body: () async throws -> Void) async throws {
        let running = Task { try await host.run() }
        defer { host.stop() }
        try await body()
        host.stop()
        try await running.value
    }

    /// Returns once the host knows that a channel has ended by itself.
    func ended(_ name: String) async {
        while host.state.withLock({ $0.tasks[name] != nil }) { await Task.yield() }
    }

    /// A channel of a file that is there.
    static func channel(_ name: String, _ flags: [String: [String]] = [:]) throws -> ChannelConfiguration {
        let usual = ["name": [name], "input": [Repository.smallFeed], "loop": [], "segment-duration": ["1"]]
        return try Configuration.load(flags: usual.merging(flags) { $1 }).channels[0]
    }

    /// Returns the change between configurations of such channels.
    static func change(
        from running: [ChannelConfiguration],
        to wanted: [ChannelConfiguration]
    ) throws -> ConfigurationChange {
        var (before, after) = (try configuration(), try configuration())
        (before.channels, after.channels) = (running, wanted)
        return ConfigurationChange(from: before, to: after)
    }

    private static func configuration() throws -> Configuration {
        try Configuration.load(flags: ["input": [Repository.smallFeed]])
    }
}
