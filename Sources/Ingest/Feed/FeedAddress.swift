import MediaCore

/// The way to open a feed and the meaning of its end, according to its URL.
struct FeedAddress: Hashable, Sendable {
    let feed: FeedLocation
    /// The URL that libavformat opens.
    var url: String
    /// True if the feed calls us: it is opened at once again after it ends, to wait for the next caller.
    private(set) var isListening = false
    /// The address that waits for its publisher, unless libavformat does that.
    private(set) var publishing: PublishingAddress?
    /// The callers that are let in, where libavformat waits for callers of SRT and would take any.
    private(set) var gate: CallerGate?
    /// The port where packager itself takes its datagrams; nil if libavformat opens the feed.
    private(set) var datagrams: DatagramAddress?
    /// The reason why its port cannot be opened; nil if nothing is wrong with the URL.
    private(set) var problem: DatagramAddress.Problem?
    /// Addresses that it may come from; empty for any.
    let allowed: [AddressRange]
    /// The options for libavformat, which the URL's own query overrides (libavformat's rule).
    private(set) var options = Self.commonOptions

    /// - Parameters:
    ///   - feed: The location of the feed.
    ///   - allowed: Addresses that it may come from, if it is sent here; empty for any.
    init(_ feed: FeedLocation, allowed: [AddressRange] = []) {
        self.feed = feed
        self.allowed = allowed
        url = feed.location
        do throws(DatagramAddress.Problem) {
            datagrams = try DatagramAddress(feed)
        } catch {
            problem = error
        }
        defer { options["format_whitelist"] = formats?.joined(separator: ",") }
        guard feed.kind == .network else { return }
        if isFetched { options["protocol_whitelist"] = Self.fetchedProtocols }
        if feed.path != nil {
            // A session description is a file, and files may not open sockets by default.
            options["protocol_whitelist"] = "file,udp,rtp,srtp,crypto"
        }
        // A session description names its transport, which is datagrams.
        setNetworkOptions(of: feed.path == nil ? feed.feedProtocol?.transport ?? .connection : .datagrams)
        if feed.feedProtocol?.senders == .addresses, !allowed.isEmpty {
            options["sources"] = allowed.map(\.description).joined(separator: ",")
        }
        if isListening, feed.feedProtocol?.transport == .srt { gate = CallerGate(feed, allowed: allowed) }
    }

    private static let commonOptions = [
        // Enough of any feed to find its tracks in: 1.5 s at up to 25 Mbit/s. A container that names them needs less.
        "probesize": "5000000",
        "analyzeduration": "1500000",
        "fpsprobesize": "0",
        // Timestamps are wanted as the feed counts them: libavformat would unwrap the first wrap and no other.
        "correct_ts_overflow": "0",
        // Teletext is shown when its own timestamps say: libavformat would show it as soon as it has come.
        "fix_teletext_pts": "0",
        // A PES packet of unstated length is cut at this many bytes, which were to hold any picture.
        "max_packet_size": "\(AccessUnitAssembler.mostBytes)",
    ]

    private mutating func setNetworkOptions(of transport: FeedProtocol.Transport) {
        isListening = feed.isCalled
        switch transport {
        case .datagrams:
            // Silence is not an error. Bursts are held by the socket (the kernel may grant less) and by libavformat's
            // own buffer (5 MB unless the URL says `fifo_size`); overrunning that loses packets but not the feed.
            options["buffer_size"] = "2097152"
            options["overrun_nonfatal"] = "1"
            // A process that takes the place of this one opens the port before this one closes it.
            if feed.feedProtocol?.sharing == .always { options["reuse"] = "1" }
        case .srt:
            // SRT finds a dead peer by itself (SRTO_PEERIDLETIMEO, 5 s).
            break
        case .rtmp where isListening:
            // The publisher connects to packager, unless the URL pulls another server's stream: `?listen=0`.
            url = Self.removing("listen", from: url)
            publishing = PublishingAddress(FeedLocation(url))
        case .rtmp, .tunnelledRTMP:
            url = Self.removing("listen", from: url)
            options["rw_timeout"] = Self.timeout
        case .connection:
            options["rw_timeout"] = Self.timeout
            // RTSP opens its connections itself, and passes on its own option alone.
            if feed.feedProtocol?.isSession == true { options["timeout"] = Self.timeout }
        }
    }

    /// Microseconds after which a silent peer on a connection is taken for dead: TCP itself would wait for hours.
    private static let timeout = "5000000"

    /// The URL without that field of its query: RTMP would take it for a part of the stream's name.
    private static func removing(_ name: String, from url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let fields = url[url.index(after: mark)...].split(separator: "&")
        let kept = fields.filter { $0 != name && !$0.hasPrefix(name + "=") }
        return url[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}
