/// A protocol by which feeds come: all that is decided by the scheme of a feed's URL, but for how it is opened
/// (`FeedAddress` in Ingest).
package struct FeedProtocol: Hashable, Sendable {
    /// The place of the media.
    package enum Medium: Hashable, Sendable {
        /// A file, whose path stands behind the colon.
        case file
        /// Files, or bytes in the URL itself.
        case files
        /// An open descriptor.
        case pipe
        case network
        /// The place that the URL behind the colon names.
        case inner
    }

    /// The way in which it is opened.
    package enum Transport: Hashable, Sendable {
        /// Datagrams that come to a port: neither their sender nor its end is known.
        case datagrams
        case srt
        /// RTMP, where an encoder is waited for by packager's own server.
        case rtmp
        /// RTMP through a tunnel, or over TLS, from another server.
        case tunnelledRTMP
        /// A connection that libavformat makes or waits for, or no connection at all.
        case connection
    }

    /// The peers that connect here, rather than being connected to.
    package enum Callers: Hashable, Sendable {
        case never
        /// The feed listens with `mode=listener`, as SRT has it.
        case inListenerMode
        /// The feed listens unless `listen=0` says otherwise.
        case byDefault
        /// The feed listens with `listen`, or `mode=listener`.
        case whereAsked
    }

    /// The senders that `allowed-publishers` can tell apart.
    package enum Senders: Hashable, Sendable {
        /// Addresses and networks.
        case networks
        /// Single addresses.
        case addresses
        /// No senders: they are not checked.
        case unknown
        /// No senders, but only the server that is asked sends.
        case unknownCallers
    }

    /// The right of two processes to have a feed open at a time, and to read it from any of its bytes on.
    package enum Sharing: Hashable, Sendable {
        case never
        case always
        /// The feed can be shared unless its encoder connects here: that connection is one process's alone.
        case unlessCalled
    }

    /// The schemes of its URLs.
    package var names: [String]
    package var medium = Medium.network
    package var transport = Transport.connection
    /// The port that encoders connect to if a URL names none; nil if there is no such port.
    package var defaultPort: Int?
    /// True if it has no port of its own, so that a URL has to name one.
    package var needsPort = false
    /// True if it is read as the packets of a session, and not as bytes.
    package var isSession = false
    package var callers = Callers.whereAsked
    package var senders = Senders.unknownCallers
    package var sharing = Sharing.never
    /// True if a channel of the control API may use the protocol.
    ///
    /// It reads no file, hands over to no other protocol, and has no option that names a file, as `tls` has.
    package var isOpenToAPI = false

    private init(_ names: String..., medium: Medium = .network, with set: (inout Self) -> Void = { _ in }) {
        self.names = names
        self.medium = medium
        set(&self)
    }

    /// The protocols of Debian's libavformat 5.1 that can carry media.
    package static let all: [FeedProtocol] = [
        FeedProtocol("file", medium: .file),
        FeedProtocol("concat", "concatf", "data", "subfile", medium: .files),
        FeedProtocol("pipe", medium: .pipe),
        FeedProtocol("async", "cache", "crypto", medium: .inner),
        FeedProtocol("udp") {
            ($0.transport, $0.callers, $0.senders, $0.sharing) = (.datagrams, .never, .networks, .always)
            ($0.needsPort, $0.isOpenToAPI) = (true, true)
        },
        FeedProtocol("udplite") {
            ($0.transport, $0.callers, $0.senders) = (.datagrams, .never, .addresses)
            ($0.needsPort, $0.isOpenToAPI) = (true, true)
        },
        FeedProtocol("rtp") {
            ($0.transport, $0.callers, $0.senders, $0.sharing) = (.datagrams, .never, .networks, .always)
            ($0.needsPort, $0.isOpenToAPI) = (true, true)
        },
        FeedProtocol("srtp") {
            ($0.transport, $0.callers, $0.senders, $0.isSession) = (.datagrams, .never, .unknown, true)
            ($0.needsPort, $0.isOpenToAPI) = (true, true)
        },
        FeedProtocol("srt") {
            ($0.transport, $0.callers, $0.senders, $0.sharing) = (.srt, .inListenerMode, .networks, .unlessCalled)
            ($0.needsPort, $0.isOpenToAPI) = (true, true)
        },
        FeedProtocol("rtmp") {
            ($0.transport, $0.callers, $0.senders) = (.rtmp, .byDefault, .networks)
            ($0.defaultPort, $0.isOpenToAPI) = (1935, true)
        },
        FeedProtocol("rtmps", "rtmpt", "rtmpts") {
            ($0.transport, $0.callers) = (.tunnelledRTMP, .never)
            $0.isOpenToAPI = true
        },
        FeedProtocol("tcp") {
            ($0.needsPort, $0.sharing, $0.isOpenToAPI) = (true, .unlessCalled, true)
        },
        FeedProtocol("rist", "sctp") { ($0.needsPort, $0.isOpenToAPI) = (true, true) },
        FeedProtocol("http", "https") { $0.isOpenToAPI = true },
        FeedProtocol("rtsp", "rtsps", "rtspu") { ($0.isSession, $0.isOpenToAPI) = (true, true) },
        FeedProtocol("sap") { $0.isSession = true },
        FeedProtocol(
            "amqp",
            "bluray",
            "ffrtmphttp",
            "ftp",
            "gopher",
            "gophers",
            "hls",
            "httpproxy",
            "icecast",
            "ipfs",
            "ipns",
            "mmsh",
            "mmst",
            "sftp",
            "tls",
            "unix",
            "zmq"
        ),
    ]

    private static let byName = Dictionary(
        all.flatMap { feedProtocol in feedProtocol.names.map { ($0, feedProtocol) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// The protocol of a scheme in lower case; nil if none is known.
    package static func named(_ scheme: String) -> FeedProtocol? { byName[scheme] }

    /// All schemes, in alphabetical order.
    package static let names = all.flatMap(\.names).sorted()
}
