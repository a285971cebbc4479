import MediaCore

/// Checks of listening addresses: no two may be the same, and clients must reach them.
extension ConfigurationReader {
    /// Reports listeners that take each other's port, and feeds that take one of theirs.
    mutating func checkListeners(_ reading: SettingReading<Configuration>) {
        var taken: [(name: String, address: Located<ListenAddress>)] = []
        let listeners = [
            ("listen", reading[\.listen]), ("control", reading[\.control]), ("keys-listen", reading[\.keysListen]),
        ]
        for case (let name, let address?) in listeners {
            if let other = taken.first(where: { $0.address.value.excludes(address.value) }) {
                // The problem names the setting that was written, not the default.
                let isGiven = !address.origin.isStandard || other.address.origin.isStandard
                report(
                    isGiven ? address.origin : other.address.origin,
                    "'\(other.name)' and '\(name)' both listen on \(address.value); give each a port of its own"
                )
            }
            taken.append((name, address))
        }
        for feed in receivers {
            guard let address = feed.value.listenAddress,
                let other = taken.first(where: { $0.address.value.excludes(address) })
            else { continue }
            report(
                feed.origin,
                "'\(other.name)' listens on \(other.address.value), where this feed waits for its encoder; give the feed "
                    + "another port"
            )
        }
    }

    /// Notes an origin that players on other machines cannot reach, and feeds that encoders on other machines cannot
    /// send.
    ///
    /// An origin that is configured for this machine alone, with feeds of this machine alone, is meant so.
    mutating func checkReach(_ reading: SettingReading<Configuration>, of channels: [ChannelConfiguration]) {
        guard let listen = reading[\.listen] else { return }
        if listen.value.isLoopback {
            let isFedFromElsewhere = channels.contains {
                ($0.inputs + $0.backups).contains(where: \.isBeyondLoopback)
            }
            guard listen.origin.isStandard || isFedFromElsewhere else { return }
            let wide = ListenAddress(host: ListenAddress.wildcard(for: listen.value.host), port: listen.value.port)
            note(
                listen.origin,
                "only this machine can reach \(listen.value): players on others get nothing. Set listen (--listen) to "
                    + "\(wide), or let a proxy on this machine serve them"
            )
        }
        for feed in receivers where feed.value.isReceivedOnLoopback {
            guard let host = feed.value.authority?.host else { continue }
            note(
                feed.origin,
                "only this machine can send to \(feed.value). For an encoder on another, write "
                    + "\(ListenAddress.wildcard(for: host)) in place of \(host)"
            )
        }
    }

    /// Collects the feeds of a channel that wait for their encoders.
    mutating func collectReceivers(_ reading: SettingReading<ChannelConfiguration>) {
        for feed in reading.elements(\.inputs) + reading.elements(\.backups)
        where feed.value.isReceived && !receivers.contains(where: { $0.value == feed.value }) {
            receivers.append(feed)
        }
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

    /// Refuses programs of one feed with different allowed senders: its port is opened once for all of them.
    ///
    /// RTMP publishers differ by their keys, so that channels of one port may each have their own.
    mutating func checkSharedSenders(_ reading: SettingReading<ChannelConfiguration>) {
        guard !reading.value.programs.isEmpty else { return }
        let allowed = Set(reading.value.allowedPublishers)
        for feed in reading.elements(\.inputs) + reading.elements(\.backups)
        where feed.value.isCalled || feed.value.datagramAddress != nil {
            let origin = reading[\.allowedPublishers]?.origin ?? feed.origin
            guard let other = sharedSenders[feed.value.location] else {
                sharedSenders[feed.value.location] = (allowed, origin)
                continue
            }
            if other.allowed == allowed { continue }
            report(
                origin,
                "'\(feed.value)' can be opened once for all its programs, and another channel takes it from other senders "
                    + "(\(other.origin)); give both the same allowed-publishers"
            )
        }
    }
}

extension ListenAddress {
    /// True if only this machine reaches it.
    var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Returns the host that stands for all addresses of a machine, in the family of an address.
    fileprivate static func wildcard(for host: String) -> String { host.contains(":") ? "::" : "0.0.0.0" }

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
    /// True if it comes from another machine.
    fileprivate var isBeyondLoopback: Bool {
        guard kind == .network, let host = authority?.host else { return false }
        return !ListenAddress.isLoopback(host)
    }

    /// True if its encoder sends it to an address that only this machine has.
    fileprivate var isReceivedOnLoopback: Bool {
        isReceived && authority.map { ListenAddress.isLoopback($0.host) } ?? false
    }

    /// The TCP address at which it waits for its encoder; nil if it does not.
    fileprivate var listenAddress: ListenAddress? {
        guard isCalled, let feedProtocol, feedProtocol.transport == .connection || feedProtocol.transport == .rtmp,
            let host = authority?.host, let port
        else { return nil }
        return ListenAddress(host: host, port: port)
    }

    /// Host and port that datagrams are received at; nil for a feed of another kind, and for multicast, which any
    /// number may receive.
    fileprivate var datagramAddress: String? {
        guard feedProtocol?.transport == .datagrams, let (host, port) = authority, let port,
            query["reuse"] != "1", query["reuse_socket"] != "1"
        else { return nil }
        let first = host.split(separator: ".").first.flatMap { Int($0) }
        let isMulticast = first.map { (224..<240).contains($0) } ?? host.lowercased().hasPrefix("ff")
        return isMulticast ? nil : "\(scheme == "udplite" ? "udplite" : "udp")://\(host):\(port)"
    }
}
