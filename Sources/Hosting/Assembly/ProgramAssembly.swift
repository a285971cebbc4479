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
package struct ProgramAssembly {
    let endpoint: KeyEndpoint
    let security: ListenerSecurity
    let source: ConfigurationSource
    /// What another process leaves to this one; nil where none does.
    let takeover: Takeover?
    let logger: Logger
    /// The version of the program, for the log and the control API.
    let version: String
    let clock = SystemClock()
    let records: EventRecords
    private let running: RunningConfiguration
    private let signal = EventSignal()

    /// - Parameters:
    ///   - configuration: What the process is to do.
    ///   - texts: What it was read from.
    ///   - endpoint: What stands before the keys.
    ///   - security: How the listeners prove who they are.
    ///   - source: Where the configuration is read again.
    ///   - takeover: What another process leaves to this one; nil where none does.
    ///   - version: Of the program.
    ///   - logger: Gets what the operator has to know.
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
            environment: source.environment,
            clock: clock,
            logger: logger
        ) { [signal] in signal.fire() }
    }

    var events: EventLog { records.log }

    var configuration: PackagerConfig.Configuration { running.value }

    /// Runs until told to stop, or until every channel has ended that ends the program.
    ///
    /// - Throws: ``SetupError`` for what the operator has to mend before anything starts; ``FeedError`` where stored feeds
    ///   had nothing to give.
    package func run() async throws {
        for warning in configuration.warnings { logger.warning("configuration", metadata: ["problem": "\(warning)"]) }
        let accessLog = try configuration.accessLog.map { path throws(SetupError) in
            try AccessLogFile(path, configuration.logFormat)
        }
        let channels = ChannelRegistry<HostedChannel>()
        let counters = OriginCounters()
        let keyDesk = keyDesk
        let listening = AsyncStream<Int>.makeStream()
        let origin = OriginServer(
            configuration: originConfiguration(channels: configuration.channels.count),
            channels: channels,
            counters: counters,
            keyDesk: keyDesk,
            certificate: security["origin"],
            now: { [clock] in clock.now },
            logger: logger,
            accessLog: accessLog?.sink,
            onLimit: connectionWatch("origin").note,
            onRunning: { port in
                listening.continuation.yield(port)
                listening.continuation.finish()
            }
        )
        let keysListening = AsyncStream<Int>.makeStream()
        let keys = keysConfiguration.map { keysConfiguration in
            OriginServer(
                configuration: keysConfiguration,
                channels: channels,
                keyDesk: keyDesk,
                certificate: security["keys"],
                now: { [clock] in clock.now },
                logger: logger,
                accessLog: accessLog?.sink,
                onLimit: connectionWatch("address of the keys").note,
                onRunning: { port in
                    keysListening.continuation.yield(port)
                    keysListening.continuation.finish()
                }
            )
        }
        let host = ChannelHost(
            ChannelAssembly(
                clock: clock,
                events: events,
                logger: logger,
                keyDelivery: KeyDelivery(configuration)
            ),
            registry: channels
        ) { origin.gate.limit(to: originConfiguration(channels: $0).limits) }
        defer {
            for service in channels.members.map(\.service) {
                service.channel.presentation.finish()
                service.journal?.finish()
            }
        }
        LibraryLines.log(to: logger, clock)
        try await addChannels(to: host)
        // Nothing starts that a missing file keeps from it.
        tellStart()
        if source.overlayPath != nil, security.access.isOpenToAll {
            logger.notice("every user of this machine may change channels; control-tokens says who may")
        }
        await endpoint.fetch()
        let reloader = ConfigurationReloader(running, source, host, records, clock: clock, logger: logger)
        let operated = AsyncStream<Int>.makeStream()
        let control = ControlServer(
            configuration: controlConfiguration,
            certificate: security["control"],
            access: security.access,
            channels: { channels.members.map(\.operation) },
            origin: { [security] in
                var status = OriginStatus(
                    origin.gate.totals,
                    counters.totals,
                    keyDesk?.counters.totals,
                    counters.answered
                )
                status.certificates = security.status
                return status
            },
            events: events,
            archive: records.store,
            signal: signal,
            operated: reloader,
            upgrade: { UpgradeForecast(of: host) },
            webhooks: { [records] in records.webhookStatuses },
            now: { [clock] in clock.now },
            logger: logger,
            onLimit: connectionWatch("operator face").note,
            onRunning: { port in
                operated.continuation.yield(port)
                operated.continuation.finish()
            }
        )
        var listeners = [
            HandoverListener(listenerName("origin", configuration.listen), origin.socket),
            HandoverListener(listenerName("control", configuration.control), control.socket) { control.retire(to: $0) },
        ]
        if let keys, let address = configuration.keysListen {
            listeners.append(HandoverListener(listenerName("keys", address), keys.socket))
        }
        let upgrade = Upgrade(host, listeners, origin, events: events, clock: clock, logger: logger)
        let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
        let progress = LineWriter.standardError.isTerminal ? ProgressLine(channels: channels, counters: counters) : nil
        let media = MediaService(host: host, progress: progress, logger: logger) {
            [configuration, takeover, listeners] in
            for await port in operated.stream where configuration.isControlAnnounced {
                announce("control", configuration.control, port, as: "control")
            }
            if let address = configuration.keysListen {
                for await port in keysListening.stream { announce("keys", address, port, as: "keys") }
            }
            for await port in listening.stream where configuration.isListenAnnounced {
                announce("listening", configuration.listen, port, as: "origin")
            }
            if Task.isCancelled { return }
            // From here on encoders and viewers are answered; a service that waited for an encoder would block the boot.
            manager?.tell([.ready])
            guard let takeover else { return }
            await takeover.complete(listeners)
            upgrade.note(.notice, "This process has taken the place of process \(takeover.predecessor).")
            upgrade.closeUnclaimedPublishers()
            manager?.tell([.mainProcess(ProcessInfo.processInfo.processIdentifier)])
        }
        let supervision = manager.map {
            SupervisionService(manager: $0, channels: channels, origin: origin) { upgrade.isHandedOver }
        }
        // The first is the last to be told to stop, so that what the others have to say is kept.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: records), .init(service: control), .init(service: origin),
        ]
        if let keys { services.append(.init(service: keys)) }
        if security.hasFiles {
            services.append(
                .init(service: SecurityService(security: security, events: events, clock: clock, logger: logger))
            )
        }
        if let supervision { services.append(.init(service: supervision)) }
        // Without a file there is nothing to read again, and whoever closes the terminal means to end the program.
        if source.overlayPath != nil || accessLog != nil {
            let reloader = source.overlayPath.map { _ in reloader }
            services.append(.init(service: ReloadService(reloader: reloader, accessLog: accessLog, logger: logger)))
        }
        services.append(.init(service: UpgradeService(upgrade: upgrade, reloader: reloader)))
        services.append(
            .init(
                service: media,
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        )
        // The service group's own messages say nothing to an operator.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        do {
            try await ServiceGroup(
                configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
            ).run()
        } catch let error as ServerError {
            guard case .cannotListen(let host, let port, let reason) = error else { throw error }
            throw obstacle(to: ListenAddress(host: host, port: port), reason)
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

    /// Tells whoever started the program where it can be reached.
    private func announce(_ what: String, _ address: ListenAddress, _ port: Int, as listener: String) {
        let scheme = security[listener] == nil ? "http" : "https"
        LineWriter.standardOutput.write("\(what) \(scheme)://\(ListenAddress(host: address.host, port: port))/")
    }
}
