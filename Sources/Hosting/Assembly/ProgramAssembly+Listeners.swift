import Control
import HTTPServing
import KeyServing
import Logging
import MediaCore
import Operations
import Origin
import PackagerConfig

/// The settings of the HTTP listeners.
extension ProgramAssembly {
    /// The name of a listener in an upgrade; a listener with a new address opens a new socket.
    func listenerName(_ kind: String, _ address: ListenAddress) -> String { "\(kind) \(address)" }

    /// Makes the settings of the origin for a number of channels that have files or sockets open.
    func originConfiguration(channels: Int) -> OriginConfiguration {
        let budget = DescriptorBudget(
            limit: ProcessTuning.descriptorLimit,
            channels: channels,
            destinations: configuration.channels.reduce(0) { $0 + $1.push.count }
        )
        var origin = OriginConfiguration(host: configuration.listen.host, port: configuration.listen.port)
        if let keys = keysConfiguration {
            origin.resources = .withoutKeys
            origin.maximumConnections = max(1, budget.viewers - keys.maximumConnections)
        } else {
            origin.maximumConnections = budget.viewers
        }
        origin.tokenParameter = configuration.tokenParameter
        origin.inherited = takeover?.listener(listenerName("origin", configuration.listen))
        // One address may be a network, or a proxy, but is not everybody.
        origin.maximumConnectionsPerAddress =
            configuration.connectionsPerAddress ?? max(1, origin.maximumConnections / 2)
        return origin
    }

    var controlConfiguration: ControlConfiguration {
        let operators = DescriptorBudget(limit: ProcessTuning.descriptorLimit, channels: 0).operators
        var control = ControlConfiguration(host: configuration.control.host, port: configuration.control.port)
        control.maximumConnections = operators
        control.maximumStreams = operators / 2
        control.version = version
        control.inherited = takeover?.listener(listenerName("control", configuration.control))
        return control
    }

    /// Names the setting of an address that cannot be listened at, and the remedy.
    func obstacle(to address: ListenAddress, _ reason: String) -> SetupError {
        let listeners = [("listen", configuration.listen), ("control", configuration.control)]
        let keys = configuration.keysListen.map { [("keys-listen", $0)] } ?? []
        let name = (listeners + keys).first { $0.1 == address }?.0 ?? "listen"
        return SetupError(
            name,
            "cannot listen on \(address): \(reason); give another address with --\(name), or port 0 for any free one"
        )
    }

    /// Logs the running services once nothing prevents the start.
    func logStart() {
        logger.info(
            "starting",
            metadata: ["version": "\(version)", "channels": .number(configuration.channels.count)]
        )
        for channel in configuration.channels {
            var metadata: Logger.Metadata = [
                "channel": "\(channel.name)", "format": "\(channel.format.rawValue)",
                "encryption": "\(channel.encryption.rawValue)",
                "inputs": "\(channel.inputs.map(\.description).joined(separator: " "))",
            ]
            if !channel.backups.isEmpty {
                metadata["backups"] = "\(channel.backups.map(\.description).joined(separator: " "))"
            }
            if let output = channel.output { metadata["output"] = "\(output)" }
            if let record = channel.recording.directory { metadata["record"] = "\(record)" }
            if !channel.push.isEmpty {
                metadata["push"] = "\(channel.push.map { SecretMask.masked($0.url) }.joined(separator: " "))"
            }
            logger.info("channel", metadata: metadata)
        }
        if source.overlayPath != nil, security.access.isOpenToAll {
            logger.notice("every user of this machine may change channels; control-tokens says who may")
        }
    }

    func connectionWatch(_ listener: String) -> ConnectionWatch {
        ConnectionWatch(listener: listener, events: events, clock: clock, logger: logger)
    }
}

extension OriginStatus {
    init(
        _ gate: ConnectionGate.Totals,
        _ served: OriginCounters.Totals,
        _ keys: KeyCounters.Totals?,
        _ answered: [OriginCounters.Answered]
    ) {
        self.init(
            connections: gate.open,
            maximumConnections: gate.limits.total,
            maximumConnectionsPerAddress: gate.limits.perAddress,
            displaced: gate.reached[.displaced] ?? 0,
            refused: gate.reached[.full] ?? 0,
            displacedByAddress: gate.reached[.address] ?? 0,
            outOfDescriptors: gate.reached[.descriptors] ?? 0,
            requests: served.requests,
            bytes: served.bytes,
            viewers: served.viewers,
            audiences: served.audiences.mapValues(ChannelStatus.Audience.init),
            keys: keys.map { Keys(granted: $0.granted, refused: $0.refused) },
            answered: answered.map {
                Answered(
                    kind: $0.kind.name,
                    code: $0.status.map(String.init) ?? "other",
                    requests: $0.requests,
                    bytes: $0.bytes
                )
            }
        )
    }
}

extension ChannelStatus.Audience {
    init(_ audience: Audience) {
        self.init(
            viewers: audience.viewers,
            reporting: audience.reporting,
            stalled: audience.stalled,
            stalls: audience.stalls,
            bufferLength: audience.bufferLength.map { Seconds(MediaTime(milliseconds: Int64($0))) },
            bitrate: audience.bitRate.map { Int($0 * 1000) },
            throughput: audience.throughput.map { Int($0 * 1000) }
        )
    }
}

extension RequestKind {
    /// The name in metrics and in the control API.
    fileprivate var name: String {
        switch self {
        case .multivariantPlaylist: "multivariant-playlist"
        case .mediaPlaylist: "media-playlist"
        case .segment: "segment"
        case .initialization: "initialization"
        case .key: "key"
        case .other: "other"
        }
    }
}
