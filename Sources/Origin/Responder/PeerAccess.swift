package import ContentProtection
package import NIOCore

/// The clients that may read the documents for the other member of a pair.
package enum PeerAccess: Sendable {
    /// No peer: the channel has no other member.
    case nobody
    /// Members that encrypt nothing have no secret to know each other by.
    case everybody
    /// A peer with this token; `refusal` is JSON with the reason for a peer with another one.
    case holders(of: PeerToken, refusal: ByteBuffer)
}
