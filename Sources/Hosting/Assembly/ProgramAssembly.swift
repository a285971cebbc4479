import Archive
import Channels
import Control
import Foundation
import HTTPServing
import KeyServing
package import Logging
import MediaCore
import Operations
import Origin
package import PackagerConfig
import Presentation
import ServiceLifecycle
import UnixSignals

/// Puts the program together from its configuration and runs it.
package struct ProgramAssembly: Sendable {
    let endpoint: KeyEndpoint
    let security: ListenerSecurity
    let source: ConfigurationSource
    /// The takeover from another process; nil if there is none.
    let takeover: Takeover?
    let logger: Logger
    /// The version of the program, for the log and the control API.
    let version: String
    let clock: any UTCClock = SystemClock()
    let records: EventRecords
    let running: RunningConfiguration
    let signal = EventSignal()
    /// The signals that end the process.
    var endingSignals: [UnixSignal] = [.sigterm, .sigint]
    /// Writes a line to standard output.
    var writeLine: @Sendable (String) -> Void = { LineWriter.standardOutput.write($0) }

    /// - Parameters:
    ///   - configuration: The settings of the process.
    ///   - texts: The texts that they were read from.
    ///   - endpoint: The conditions on which players get keys.
    ///   - security: The certificates of the listeners, and the clients of the control API.
    ///   - source: The files from which the configuration is read again.
    ///   - takeover: The other process that leaves its work to this one; nil if none does.
    ///   - version: The version of the program.
    ///   - logger: Gets the messages for operators.
    package init(
        _ configuration: PackagerConfig.Configuration,
        of texts: ConfigurationTexts,
        _ endpoint: KeyEndpoint,
        _ security: ListenerSecurity,
        _ source: ConfigurationSource,
        _ takeover: Takeover? = nil,
        version: String,
        logger: Logger
    ) async {
        running = RunningConfiguration(configuration, of: texts)
        self.endpoint = endpoint
        self.security = security
        self.source = source
        self.takeover = takeover
        self.version = version
        self.logger = logger
        records = await EventRecords(
            configuration,
            after: takeover?.eventDirectory,
            environment: source.environment,
            clock: clock,
            logger: logger
        ) { [signal] in signal.fire() }
    }

    var events: EventLog { records.log }

    var configuration: PackagerConfig.Configuration { running.value }

    /// Runs until a signal, or until every channel that ends the program has ended.
    ///
    /// - Throws: ``SetupError`` for problems that the operator must solve before the start; ``FeedError`` if stored
    ///   feeds had no media.
    package func run() async throws {
        let hangups = await hangups
        let watch = ConfigurationWatch(events: events, clock: clock, logger: logger)
        for warning in configuration.warnings { watch.logWarning(warning) }
        let accessLog = try configuration.accessLog.map { path throws(SetupError) in
            try AccessLogFile(path, configuration.logFormat)
        }
        let channels = ChannelRegistry<HostedChannel>()
        let servers = mediaServers(of: channels, accessLog)
        let host = channelHost(of: channels, limiting: servers.origin)
        defer { finish(channels) }
        LibraryLines.log(to: logger, clock)
        let fetching = Task { await endpoint.fetch() }
        try await addChannels(to: host)
        // Missing files have been reported before this point, so all services can start.
        logStart()
        // The viewers of a process before this one have their keys, and wait for segments.
        if takeover == nil { await fetching.value }
        let reloader = ConfigurationReloader(running, source, host, records, clock: clock, logger: logger)
        let control = controlServer(of: host, servers, reloader)
        let upgrade = Upgrade(
            host,
            handoverListeners(servers, control.server),
            .real(servers.origin),
            events: events,
            eventDirectory: { [records] in records.directory },
            clock: clock,
            logger: logger
        )
        let media = mediaService(of: host, servers, control.port, upgrade)
        try await serve(services(servers, control.server, reloader, accessLog, upgrade, media, hangups))
    }

    /// Makes the host of the channels; the origin takes as many connections as they leave descriptors for.
    private func channelHost(
        of channels: ChannelRegistry<HostedChannel>,
        limiting origin: OriginServer
    ) -> ChannelHost {
        let assembly = ChannelAssembly(
            clock: clock,
            events: events,
            logger: logger,
            keyDelivery: KeyDelivery(configuration),
            environment: source.environment,
            passKey: endpoint.passKey
        )
        return ChannelHost(assembly, registry: channels) { [self] count in
            origin.gate.limit(to: originConfiguration(channels: count).limits)
        }
    }

    /// Ends waiting requests, and writes the rest of the journals.
    private func finish(_ channels: ChannelRegistry<HostedChannel>) {
        for service in channels.members.map(\.service) {
            service.channel.presentation.finish()
            service.journal?.finish()
        }
    }

    /// Adds the channels of the configuration.
    ///
    /// - Throws: ``SetupError`` with everything that keeps them from being used.
    private func addChannels(to host: ChannelHost) async throws(SetupError) {
        var problems: [SetupProblem] = []
        do throws(SetupError) {
            records.take(up: configuration, try records.webhooks(configuration), after: events.origin)
        } catch {
            problems += error.items
        }
        do throws(SetupError) {
            if let takeover {
                try await takeover.takeOver(configuration.channels, host)
            } else {
                try await host.add(configuration.channels)
            }
        } catch {
            problems += error.items
        }
        if !problems.isEmpty { throw SetupError(problems) }
    }
}
