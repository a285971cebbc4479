import Channels
import Control
import HTTPServing
import KeyServing
import MediaCore
import Origin
import PackagerConfig

/// The servers of the program.
extension ProgramAssembly {
    /// The servers that answer players.
    struct MediaServers {
        let origin: OriginServer
        let originPort: BoundPort
        /// The server of keys at a separate address; nil if keys have none.
        let keys: OriginServer?
        let keysPort: BoundPort
        /// Answers requests for keys; nil if everybody gets them.
        let keyResponder: KeyResponder?
    }

    /// Makes the origin, and the server of keys if these have a separate address.
    func mediaServers(of channels: ChannelRegistry<HostedChannel>, _ accessLog: AccessLogFile?) -> MediaServers {
        let budget = DescriptorBudget(limit: ProcessTuning.descriptorLimit, channels: 0)
        OpenFiles.shared.limit(to: budget.files)
        MemoryCopies.shared.limit(to: budget.copies)
        let keyResponder = keyResponder
        let (originPort, keysPort) = (BoundPort(), BoundPort())
        // Requests for keys count wherever they come in.
        let counters = OriginCounters()
        let origin = OriginServer(
            configuration: originConfiguration(channels: configuration.channels.count),
            channels: channels,
            counters: counters,
            keyResponder: keyResponder,
            mediaAuthorization: mediaAuthorization(keyResponder),
            certificate: security["origin"],
            now: { [clock] in clock.now },
            logger: logger,
            accessLog: accessLog?.sink,
            onLimit: connectionWatch("origin").note,
            onRunning: originPort.set
        )
        let keys = keysConfiguration.map { keysConfiguration in
            OriginServer(
                configuration: keysConfiguration,
                channels: channels,
                counters: counters,
                keyResponder: keyResponder,
                // Keys need no pass, but requests may have one.
                mediaAuthorization: mediaAuthorization(keyResponder),
                certificate: security["keys"],
                now: { [clock] in clock.now },
                logger: logger,
                accessLog: accessLog?.sink,
                onLimit: connectionWatch("address of the keys").note,
                onRunning: keysPort.set
            )
        }
        return MediaServers(
            origin: origin,
            originPort: originPort,
            keys: keys,
            keysPort: keysPort,
            keyResponder: keyResponder
        )
    }

    /// Makes the server of the control API.
    func controlServer(
        of host: ChannelHost,
        _ servers: MediaServers,
        _ reloader: ConfigurationReloader
    ) -> (server: ControlServer, port: BoundPort) {
        let port = BoundPort()
        let server = ControlServer(
            configuration: controlConfiguration,
            certificate: security["control"],
            access: security.access,
            channels: { host.registry.members.map(\.operation) },
            origin: { [security] in Self.status(of: servers, security) },
            events: events,
            archive: records.store,
            signal: signal,
            operated: reloader,
            upgrade: { UpgradeForecast(of: host) },
            webhooks: { [records] in records.webhookStatuses },
            now: { [clock] in clock.now },
            logger: logger,
            onLimit: connectionWatch("control API").note,
            onRunning: port.set
        )
        return (server, port)
    }

    private static func status(of servers: MediaServers, _ security: ListenerSecurity) -> OriginStatus {
        let counters = servers.origin.counters
        var status = OriginStatus(
            servers.origin.gate.totals,
            counters.totals,
            servers.keyResponder?.counters.totals,
            counters.answered
        )
        status.certificates = security.status
        return status
    }

    /// The servers whose sockets and connections an upgrade hands over.
    func handoverListeners(_ servers: MediaServers, _ control: ControlServer) -> [HandoverListener] {
        var listeners = [
            HandoverListener(listenerName("origin", configuration.listen), servers.origin.socket),
            HandoverListener(listenerName("control", configuration.control), control.socket) {
                control.retire(to: $0)
            },
        ]
        if let keys = servers.keys, let address = configuration.keysListen {
            listeners.append(HandoverListener(listenerName("keys", address), keys.socket))
        }
        return listeners
    }
}
