import MediaCore

/// Addresses that the process listens at: no two can be the same, and those who connect must reach them.
extension ConfigurationReader {
    /// Reports listeners that take each other's port.
    mutating func checkListeners(_ reading: SettingReading<Configuration>) {
        var taken: [(name: String, address: Located<ListenAddress>)] = []
        let listeners = [
            ("listen", reading[\.listen]), ("control", reading[\.control]), ("keys-listen", reading[\.keysListen]),
        ]
        for case (let name, let address?) in listeners {
            if let other = taken.first(where: { $0.address.value.excludes(address.value) }) {
                // The one that was written is the one to be changed.
                let isGiven = !address.origin.isStandard || other.address.origin.isStandard
                report(
                    isGiven ? address.origin : other.address.origin,
                    "'\(other.name)' and '\(name)' both listen on \(address.value); give each a port of its own"
                )
            }
            taken.append((name, address))
        }
    }

    /// Notes that nobody on another machine reaches the origin though an encoder on another machine reaches its input.
    mutating func checkReach(_ reading: SettingReading<Configuration>, of channels: [ChannelConfiguration]) {
        guard let listen = reading[\.listen], listen.value.isLoopback,
            channels.contains(where: { ($0.inputs + $0.backups).contains(where: \.isBeyondLoopback) })
        else { return }
        note(
            listen.origin,
            "only this machine can reach \(listen.value); write listen: 0.0.0.0:\(listen.value.port) for viewers on others, "
                + "or let a proxy serve them"
        )
    }

    /// Warns of an address that several channels receive datagrams at: only one of them can.
    mutating func checkReceivers(_ reading: SettingReading<ChannelConfiguration>) {
        guard reading.value.programs.isEmpty else { return }
        let name = reading.value.name
        for feed in reading.elements(\.inputs) + reading.elements(\.backups) {
            guard let address = feed.value.datagramAddress else { continue }
            if let other = takenReceivers[address], other.channel != name {
                warn(
                    feed.origin,
                    "channel \(other.channel) receives at '\(address)' too (\(other.origin)): only one of them gets the feed"
                )
            } else {
                takenReceivers[address] = (name, feed.origin)
            }
        }
    }
}

extension ListenAddress {
    /// True if nobody on another machine reaches it.
    var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private var isWildcard: Bool { ["0.0.0.0", "::", ""].contains(host) }

    /// Returns true if the system lets only one of the two be listened at.
    fileprivate func excludes(_ other: ListenAddress) -> Bool {
        port == other.port && port != 0 && (host == other.host || isWildcard || other.isWildcard)
    }
}

extension SettingOrigin {
    fileprivate var isStandard: Bool {
        if case .standard = self { true } else { false }
    }
}

extension FeedLocation {
    /// True if another machine sends it, or is asked for it.
    fileprivate var isBeyondLoopback: Bool {
        guard kind == .network, let host = authority?.host else { return false }
        return !ListenAddress.isLoopback(host)
    }

    /// Host and port that datagrams are received at; nil for a feed of another kind, and for multicast, which any number
    /// may receive.
    fileprivate var datagramAddress: String? {
        guard feedProtocol?.transport == .datagrams, let (host, port) = authority, let port,
            query["reuse"] != "1", query["reuse_socket"] != "1"
        else { return nil }
        let first = host.split(separator: ".").first.flatMap { Int($0) }
        let isMulticast = first.map { (224..<240).contains($0) } ?? host.lowercased().hasPrefix("ff")
        return isMulticast ? nil : "\(scheme == "udplite" ? "udplite" : "udp")://\(host):\(port)"
    }
}
