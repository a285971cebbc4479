/// Hides the secrets of values of settings, for logs, answers and messages.
///
/// It hides the user and the password of a URL, the stream key of RTMP, the values of a query except those under
/// harmless names, and the arguments of a program. All code that shows a URL uses it: there is one list.
package enum SecretMask {
    /// The text in place of a secret.
    package static let mark = "***"

    /// Names of a query whose values may be read: options of transports.
    private static let harmless: Set = [
        "mode", "latency", "rcvlatency", "peerlatency", "listen", "listen_timeout", "timeout", "rw_timeout",
        "conntimeo",
        "pkt_size", "payload_size", "buffer_size", "recv_buffer_size", "send_buffer_size", "fifo_size", "sndbuf",
        "rcvbuf",
        "overrun_nonfatal", "bitrate", "burst_bits", "localaddr", "localport", "localrtpport", "localrtcpport",
        "rtcpport", "ttl", "dscp", "reuse", "reuse_socket", "sources", "block", "broadcast", "connect", "transport",
        "rtsp_transport", "maxbw", "inputbw", "oheadbw", "pbkeylen", "enforced_encryption", "tlpktdrop", "nakreport",
        "lossmaxttl", "transtype", "linger", "messageapi", "mss", "ffs", "ipttl", "iptos", "fec_mode", "fmt", "format",
    ]

    /// A text without its secrets; one that is neither a URL nor a program is as it was.
    package static func masked(_ text: String) -> String {
        pieces(of: text).map { $0.isSecret ? mark : String($0.text) }.joined()
    }

    /// The texts that ``masked(_:)`` hides.
    package static func secrets(of text: String) -> [String] {
        pieces(of: text).filter(\.isSecret).map { String($0.text) }
    }

    private struct Piece {
        var text: Substring
        var isSecret = false
    }

    private static func pieces(of text: String) -> [Piece] {
        if text.prefix(5).lowercased() == "data:" {
            return [Piece(text: text.prefix(5)), Piece(text: text.dropFirst(5), isSecret: true)]
        }
        if text.hasPrefix("command:") {
            let program = text.prefix { $0 != " " }
            let arguments = text[program.endIndex...].drop { $0 == " " }
            let shown = Piece(text: text[..<arguments.startIndex])
            return arguments.isEmpty ? [shown] : [shown, Piece(text: arguments, isSecret: true)]
        }
        guard let start = text.firstRange(of: "://")?.upperBound else { return [Piece(text: text[...])] }
        var authority = text[start...].prefix { !"/?#".contains($0) }
        // Such a character makes the URL invalid, but the password must be masked all the same.
        if !authority.contains("@"), !hasPort(authority), let at = text.lastIndex(of: "@"), at > authority.startIndex {
            authority = text[start...at]
        }
        var pieces = [Piece(text: text[..<start])]
        if let at = authority.lastIndex(of: "@"), at > start {
            pieces.append(Piece(text: text[start..<at], isSecret: true))
            authority = text[at..<authority.endIndex]
        }
        pieces.append(Piece(text: authority))
        let rest = text[authority.endIndex...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let isRTMP = text[..<start].lowercased().contains("rtmp")
        return pieces + self.pieces(ofPath: path, isRTMP: isRTMP) + self.pieces(ofQuery: rest[path.endIndex...])
    }

    /// Returns true if what stands behind a colon may be a port.
    private static func hasPort(_ authority: Substring) -> Bool {
        guard let colon = authority.lastIndex(of: ":") else { return true }
        return authority[colon...].contains("]") || authority[colon...].dropFirst().allSatisfy(\.isNumber)
    }

    /// The path of RTMP is its application, which may be read, and a key.
    private static func pieces(ofPath path: Substring, isRTMP: Bool) -> [Piece] {
        // Only the first URL of a chain is known.
        guard isRTMP || path.contains("://") else { return [Piece(text: path)] }
        let application = path.dropFirst().prefix { $0 != "/" }
        let isFollowed = path[application.endIndex...].contains { $0 != "/" }
        let key = isRTMP && isFollowed ? path[application.endIndex...].drop { $0 == "/" } : path.drop { $0 == "/" }
        if key.isEmpty { return [Piece(text: path)] }
        return [Piece(text: path[..<key.startIndex]), Piece(text: key, isSecret: true)]
    }

    private static func pieces(ofQuery query: Substring) -> [Piece] {
        guard let first = query.first else { return [] }
        let start = Piece(text: query.prefix(1))
        guard first == "?" else { return [start, Piece(text: query.dropFirst(), isSecret: true)] }
        let fields = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        return [start]
            + fields.enumerated().flatMap { index, field in
                (index == 0 ? [] : [Piece(text: "&")]) + pieces(ofField: field)
            }
    }

    private static func pieces(ofField field: Substring) -> [Piece] {
        let name = field.prefix { $0 != "=" }
        let value = field[name.endIndex...].dropFirst()
        let isHarmless = harmless.contains(name.lowercased()) && value.allSatisfy(isPlain)
        if isHarmless || field.isEmpty || (value.isEmpty && name.endIndex < field.endIndex) {
            return [Piece(text: field)]
        }
        // A field without a name is only a value.
        if name.endIndex == field.endIndex { return [Piece(text: field, isSecret: true)] }
        return [Piece(text: field[..<value.startIndex]), Piece(text: value, isSecret: true)]
    }

    /// Values of options are words, numbers and addresses; anything else may be a URL or a fragment.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._:,-".contains(character))
    }
}
