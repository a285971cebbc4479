import MediaCore

/// The formats that a feed may bring.
///
/// Libavformat recognizes a format by the bytes of the feed. Some formats name files and addresses that are read next
/// (HLS, DASH, SDP, concatenation scripts), and some are read to their end before anything else happens (WebVTT).
/// The sender of a feed must not choose one of them.
extension FeedAddress {
    /// The names of demuxers, as libavformat's `format_whitelist` has them; nil for the files of an operator, which may
    /// be of any format.
    var formats: [String]? {
        let transport = feed.feedProtocol?.transport ?? .connection
        switch feed.kind {
        case .file: return nil
        case .pipe: return Self.formatsOfMedia
        case .network where feed.path != nil: return ["sdp"]
        case .network: break
        }
        switch transport {
        case .datagrams: return ["mpegts", "rtp"]
        case .srt: return ["mpegts"]
        case .rtmp, .tunnelledRTMP: return ["flv", "live_flv"]
        case .connection where isListening: return ["mpegts"]
        case .connection: break
        }
        if feed.feedProtocol?.isSession == true { return ["rtsp", "sap", "sdp"] }
        // The server that is asked may answer with playlists. Those name addresses, and never files. Manifests of DASH may
        // name text.
        return Self.formatsOfMedia + (isFetched ? ["hls", "dash", "webvtt", "sdp"] : [])
    }

    /// True if the feed is fetched by HTTP.
    var isFetched: Bool { ["http", "https"].contains(feed.scheme) }

    /// True if it can be opened only once its encoder sends.
    var waitsForEncoder: Bool { feed.kind != .network || feed.isReceived || feed.path != nil }

    /// Formats of audio and video that name nothing outside of themselves.
    private static let formatsOfMedia = [
        "mpegts", "mpeg", "flv", "live_flv", "matroska", "mov", "mxf", "nut", "ogg", "avi", "asf", "h264", "hevc",
        "aac", "loas", "ac3", "eac3", "mp3", "flac", "wav",
    ]

    /// The protocols of the addresses that playlists of an HTTP server may name: those of libavformat's own HTTP.
    static let fetchedProtocols = "http,https,tls,rtp,tcp,udp,crypto,httpproxy,data"
}
