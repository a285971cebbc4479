import NIOCore
import NIOHTTP2

/// Limits on what a client of HTTP/2 may do on one connection.
///
/// Some requests cost the server more than the client: streams that are reset at once (CVE-2023-44487), frames that
/// each need an answer (CVE-2019-9512, 9515), and endless header blocks (CVE-2024-27316). A client that sends more of
/// them than any player or proxy gets GOAWAY with ENHANCE_YOUR_CALM, and the connection ends. The same applies to more
/// frames of any kind than its requests and our answers account for: see ``FrameAllowance``.
enum MultiplexLimits {
    /// The most requests under way: a player has a few, a proxy some more.
    ///
    /// The limit of clients is that of connections.
    static let streams = 100
    /// Answers at once that are made for one stream alone, and not shared with all viewers.
    static let turns = 4
    /// The time in which the limits below count.
    static let window = TimeAmount.seconds(30)
    /// The most streams that a client resets: a seeking viewer resets a few in a row.
    static let resets = 200
    /// The bytes of a head that are read, of those that are allowed.
    static let mostHeads = 4
    /// The most fields of a head, as over HTTP/1.1.
    static let fields = 256
    /// The most malformed requests; a proxy may pass on some of its own clients.
    static let refusals = 200
    /// PING, SETTINGS and PRIORITY.
    static let controlFrames = 500
    /// The frames of any kind but HEADERS that a client may always send in each window.
    static let frames = 1000
    /// Frames that it has for each request besides: DATA, and updates of windows.
    static let framesPerRequest = 10
    /// The bytes sent to a client that permit it one more frame: Go's client of HTTP/2 sends an update for every 4 kB
    /// at most.
    static let bytesPerFrame = 1024
    /// Frames that it may have saved.
    static let mostFrames = 100_000
    /// The bytes that are written before a flush shows if the client takes them.
    static let unflushedBytes = 256 * 1024

    static func connection(maximumHeadBytes: Int) -> NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
            // A head that is a little too large is refused alone; with a larger one, the connection ends.
            HTTP2Setting(parameter: .maxHeaderListSize, value: mostHeads * maximumHeadBytes),
        ]
        // `HPACKHeaders.canBeginRequest` checks the fields of requests.
        configuration.headerBlockValidation = .disabled
        configuration.controlFrameRateLimit.maximumCount = controlFrames
        configuration.controlFrameRateLimit.windowLength = window
        // Each requires a frame, which waits if the client reads nothing.
        configuration.maximumBufferedControlFrames = 1000
        return configuration
    }

    static var stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = resets
        configuration.streamResetFrameRateLimit.windowLength = window
        configuration.streamErrorRateLimit.maximumCount = resets
        configuration.streamErrorRateLimit.windowLength = window
        return configuration
    }
}
