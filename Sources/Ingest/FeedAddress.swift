/// What a feed's URL says of how it is to be opened and what its end means.
struct FeedAddress: Hashable, Sendable {
    /// What libavformat opens.
    var url: String
    var source: Source
    /// Whether the feed calls us: it is opened at once again after it ends, to wait for the next caller.
    var isListening: Bool
    /// Options for libavformat; what the URL's own query sets goes before them (libavformat's rule).
    var options: [String: String]

    enum Source: Hashable {
        /// The process's standard input: finite, and read once.
        case standardInput
        /// A file: finite, and read again from its start where it is looped.
        case file
        /// Has no end: what breaks off is tried again.
        case network
    }

    var isFinite: Bool { source != .network }

    /// Any text is an address: whether it can be opened is found by opening it.
    init(_ text: String) {
        url = text
        isListening = false
        options = Self.commonOptions
        let scheme = Self.scheme(of: text)
        switch scheme {
        case nil where text == "-", "pipe" where text == "pipe:" || text == "pipe:0":
            source = .standardInput
        case nil, "file", "concat", "concatf", "subfile", "data", "cache", "async", "crypto", "pipe":
            source = .file
        default:
            source = .network
        }
        if text.hasSuffix(".sdp"), source == .file {
            // A session description is a file, but the session is not; and files may not open sockets unless told so.
            source = .network
            options["protocol_whitelist"] = "file,udp,rtp,srtp,crypto"
        }
        if source == .network { setNetworkOptions(scheme: scheme ?? "udp") }
    }

    private static let commonOptions = [
        // Enough of any feed to find its tracks in: 1.5 s at up to 25 Mbit/s. A container that names them needs less.
        "probesize": "5000000",
        "analyzeduration": "1500000",
        "fpsprobesize": "0",
        // Timestamps are wanted as the feed counts them: libavformat would unwrap the first wrap and no other.
        "correct_ts_overflow": "0",
        // A PES packet of unstated length is cut at this many bytes, which were to hold any picture.
        "max_packet_size": "\(AccessUnitAssembler.mostBytes)",
    ]

    private mutating func setNetworkOptions(scheme: String) {
        let query = Self.query(of: url)
        switch scheme {
        case "udp", "udplite", "rtp", "srtp":
            // Silence is no error. What bursts is held by the socket (the kernel may grant less) and by libavformat's
            // own buffer (5 MB unless the URL says `fifo_size`); overrunning that loses packets but not the feed.
            options["buffer_size"] = "2097152"
            options["overrun_nonfatal"] = "1"
        case "srt":
            // SRT finds a dead peer by itself (SRTO_PEERIDLETIMEO, 5 s).
            isListening = query["mode"] == "listener"
        case "rtmp", "rtmps", "rtmpt", "rtmpts":
            // The publisher comes to us, unless the URL asks to play another server's stream: `?listen=0`.
            isListening = query["listen"] != "0"
            options["listen"] = isListening ? "1" : "0"
            url = Self.removing("listen", from: url)
            options["rw_timeout"] = Self.timeout
        default:
            isListening = query["listen"].map { $0 != "0" } ?? (query["mode"] == "listener")
            options["rw_timeout"] = Self.timeout
        }
    }

    /// Microseconds after which a silent peer on a connection is taken for dead: TCP itself would wait for hours.
    private static let timeout = "5000000"

    /// What stands before the first colon, in lower case, if it may be a scheme (RFC 3986 § 3.1).
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return nil }
        let scheme = text[..<colon]
        guard
            scheme.utf8.allSatisfy({
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || "0123456789+-.".utf8.contains($0)
            })
        else { return nil }
        return scheme.lowercased()
    }

    /// The query's fields; one without a value has an empty one.
    private static func query(of url: String) -> [String: String] {
        guard let mark = url.firstIndex(of: "?") else { return [:] }
        let fields = url[url.index(after: mark)...].split(separator: "&").map { field in
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
        }
        return Dictionary(fields) { first, _ in first }
    }

    /// The URL without that field of its query: RTMP would take it for a part of the stream's name.
    private static func removing(_ name: String, from url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let fields = url[url.index(after: mark)...].split(separator: "&")
        let kept = fields.filter { $0 != name && !$0.hasPrefix(name + "=") }
        return url[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}
