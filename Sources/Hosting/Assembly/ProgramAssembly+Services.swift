import Control
import Foundation
import HTTPServing
import Logging
import Operations
import Origin
import PackagerConfig
import ServiceLifecycle
import UnixSignals

/// The services of the program, and how they begin and end.
extension ProgramAssembly {
    /// Makes the service of the channels, which begins once all servers answer.
    func mediaService(
        of host: ChannelHost,
        _ servers: MediaServers,
        _ controlPort: BoundPort,
        _ upgrade: Upgrade
    ) -> MediaService {
        let isTerminal = LineWriter.standardError.isTerminal
        let progress = isTerminal ? ProgressLine(channels: host.registry, counters: servers.origin.counters) : nil
        return MediaService(host: host, progress: progress, logger: logger) { [self] in
            await announceAll(servers, controlPort)
            if Task.isCancelled { return }
            let manager = ServiceManager(environment: source.environment)
            // From here on encoders and viewers are answered; a service that waited for an encoder would block the
            // boot.
            manager?.notify([.ready])
            guard let takeover else { return }
            await takeover.complete(upgrade.listeners)
            upgrade.note(
                .notice,
                headline: "upgrade taken over",
                "This process has taken the place of process \(takeover.predecessor)."
            )
            upgrade.closeUnclaimedPublishers()
            manager?.notify([.mainProcess(ProcessInfo.processInfo.processIdentifier)])
        }
    }

    /// Waits until all servers answer, and writes their addresses to standard output.
    private func announceAll(_ servers: MediaServers, _ controlPort: BoundPort) async {
        if let port = await controlPort.value(), configuration.isControlAnnounced {
            announce("control", configuration.control, port, as: "control")
        }
        if let address = configuration.keysListen, let port = await servers.keysPort.value() {
            announce("keys", address, port, as: "keys")
        }
        if let port = await servers.originPort.value(), configuration.isListenAnnounced {
            announce("listening", configuration.listen, port, as: "origin")
        }
    }

    private func announce(_ what: String, _ address: ListenAddress, _ port: Int, as listener: String) {
        let scheme = security[listener] == nil ? "http" : "https"
        writeLine("\(what) \(scheme)://\(ListenAddress(host: address.host, port: port))/")
    }

    /// Catches SIGHUP from now on, for ``ReloadService``; nil if it is to end the program.
    ///
    /// Without a file there is nothing to read again, and closing the terminal is meant to end the program.
    var hangups: UnixSignalsSequence? {
        get async {
            guard source.overlayPath != nil || configuration.accessLog != nil else { return nil }
            return await UnixSignalsSequence(trapping: .sighup)
        }
    }

    /// Lists all services; the first is stopped last, so that it keeps the events of the others.
    func services(
        _ servers: MediaServers,
        _ control: ControlServer,
        _ reloader: ConfigurationReloader,
        _ accessLog: AccessLogFile?,
        _ upgrade: Upgrade,
        _ media: MediaService,
        _ hangups: UnixSignalsSequence?
    ) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        var services: [any Service] = [records, control, servers.origin]
        if let keys = servers.keys { services.append(keys) }
        if security.hasFiles {
            services.append(SecurityService(security: security, events: events, clock: clock, logger: logger))
        }
        if let manager = ServiceManager(environment: source.environment) {
            services.append(
                SupervisionService(manager: manager, channels: media.host.registry, origin: servers.origin) {
                    upgrade.isHandedOver
                }
            )
        }
        if let hangups {
            let reloader = source.overlayPath.map { _ in reloader }
            services.append(ReloadService(hangups: hangups, reloader: reloader, accessLog: accessLog, logger: logger))
        }
        services.append(UpgradeService(upgrade: upgrade, reloader: reloader))
        return services.map { .init(service: $0) } + [
            .init(
                service: media,
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        ]
    }

    /// Runs services until a signal or one of them ends the process.
    ///
    /// - Throws: ``SetupError`` if the process cannot listen at an address; the errors of services.
    func serve(_ services: [ServiceGroupConfiguration.ServiceConfiguration]) async throws {
        // The service group's own messages say nothing to an operator.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        do {
            try await ServiceGroup(
                configuration: .init(services: services, gracefulShutdownSignals: endingSignals, logger: quiet)
            ).run()
        } catch let error as ServerError {
            guard case .cannotListen(let host, let port, let reason) = error else { throw error }
            throw obstacle(to: ListenAddress(host: host, port: port), reason)
        }
    }
}
