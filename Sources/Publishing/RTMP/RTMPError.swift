/// The reason why a connection cannot be read any further.
package enum RTMPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The handshake is not RTMP: another version, or another protocol.
    case notRTMP
    /// A message or a chunk breaks the rules; the text says which.
    case malformed(String)
    /// A client sent more data than any encoder does; the text names it.
    case excessive(String)

    package var description: String {
        switch self {
        case .notRTMP: "it does not speak RTMP"
        case .malformed(let what): "malformed RTMP: \(what)"
        case .excessive(let what): "limit of RTMP exceeded: \(what)"
        }
    }
}
