import MediaCore
import Publishing

/// The callers that may call where SRT is listened for: `srt://0.0.0.0:9000?mode=listener&streamid=…&passphrase=…`.
struct CallerGate: Hashable, Sendable {
    /// The socket that callers come to.
    var socket: PublishingAddress.SocketEndpoint
    /// The allowed stream IDs; empty for any.
    var streamIDs: Set<String>
    /// Addresses that they may come from; empty for any.
    var allowed: [AddressRange]
    /// The rest of the URL, for libavformat.
    private var query: String

    /// Fails if all callers are accepted, so that there is nothing to check or report.
    ///
    /// - Parameters:
    ///   - feed: A URL of SRT.
    ///   - allowed: The allowed addresses of callers; empty for any.
    init?(_ feed: FeedLocation, allowed: [AddressRange]) {
        let fields = feed.query
        guard fields["streamid"] != nil || fields["passphrase"] != nil || !allowed.isEmpty,
            let authority = feed.authority, let port = authority.port.flatMap(Int.init)
        else { return nil }
        socket = PublishingAddress.SocketEndpoint(host: authority.host.isEmpty ? "0.0.0.0" : authority.host, port: port)
        // FFmpeg 5.1 sends a field as it is written, except for `+`; other callers send the decoded text.
        streamIDs = Set(fields["streamid"].map { [Self.decoded($0), $0.replacing("+", with: " ")] } ?? [])
        self.allowed = allowed
        query = feed.resource
    }

    var decisions: SRTGate { SRTGate(streamIDs: streamIDs, allowed: allowed) }

    /// The URL at which libavformat listens behind the gate.
    func listenerURL(port: Int) -> String { "srt://127.0.0.1:\(port)\(query)" }

    /// The text that a field stands for: `+` is a space, `%41` an A.
    private static func decoded(_ field: String) -> String {
        var bytes: [UInt8] = []
        var rest = field[...].utf8
        while let byte = rest.popFirst() {
            var behind = rest
            if byte == UInt8(ascii: "%"), let value = PercentEncoding.takeDigits(from: &behind) {
                bytes.append(value)
                rest = behind
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
