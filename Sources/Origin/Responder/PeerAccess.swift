package import ContentProtection
package import NIOCore

/// The clients that may read what is for the other member of a pair.
package enum PeerAccess: Sendable {
    /// No peer: the channel has no other member.
    case nobody
    /// Members that encrypt nothing have no secret to know each other by.
    case everybody
    /// A peer that shows this token; `refusal` is JSON that tells one with another token why it gets nothing.
    case holders(of: PeerToken, refusal: ByteBuffer)
}
