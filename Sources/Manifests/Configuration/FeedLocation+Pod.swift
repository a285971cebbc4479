import MediaCore

/// A port at which pods receive feeds.
struct FeedPort: Hashable, Comparable {
    enum Transport: String, Comparable {
        case sctp = "SCTP"
        case tcp = "TCP"
        case udp = "UDP"

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    var number: Int
    var transport: Transport

    /// The name of the port in a Service.
    var name: String { "\(transport.rawValue.lowercased())-\(number)" }

    static func < (a: Self, b: Self) -> Bool { (a.number, a.transport) < (b.number, b.transport) }
}

extension FeedLocation {
    /// The port to which its encoder sends; nil if pods pull it.
    var podPort: FeedPort? {
        guard isReceived, let number = port else { return nil }
        return switch scheme {
        case "sctp": FeedPort(number: number, transport: .sctp)
        case "rist": FeedPort(number: number, transport: .udp)
        default:
            switch feedProtocol?.transport {
            case .datagrams, .srt: FeedPort(number: number, transport: .udp)
            case .rtmp, .tunnelledRTMP, .connection, nil: FeedPort(number: number, transport: .tcp)
            }
        }
    }

    /// The reason why no pod can have this feed; nil if one can.
    var problemInPods: String? {
        switch kind {
        case .file: return "a pod has no files of this machine; let an encoder send the feed, or pull it from a server"
        case .pipe: return "a pod has no standard input; let an encoder send the feed, or pull it from a server"
        case .network: break
        }
        guard let host = authority?.host else { return "a pod cannot open '\(self)'" }
        if isReceived { return problemOfReceiver(host) }
        return Self.isLoopback(host) ? "\(host) is the pod itself, where nobody serves '\(self)'" : nil
    }

    private func problemOfReceiver(_ host: String) -> String? {
        if AddressRange("224.0.0.0/4")?.contains(host) == true || AddressRange("ff00::/8")?.contains(host) == true {
            return "multicast does not reach pods; let the encoder send to both pods, or run packagers on machines "
                + "(Config/fleet)"
        }
        if !["", "0.0.0.0", "::"].contains(host) {
            return
                "no pod has the address \(host), and encoders do not reach its loopback; write 0.0.0.0 instead"
        }
        guard let number = port else { return "a Service needs the port of '\(self)'; add it" }
        return number < 1024 ? "an unprivileged pod cannot listen at port \(number); use one from 1024 up" : nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || AddressRange("127.0.0.0/8")?.contains(host) == true
            || AddressRange("::1")?.contains(host) == true
    }
}
