package import ContentProtection
package import NIOCore

/// Who may read what is for the other member of a pair.
package struct PeerAccess: Sendable {
    /// What the peer has to show.
    package var token: PeerToken
    /// JSON for a peer that shows another one, which tells it why.
    package var refusal: ByteBuffer

    package init(token: PeerToken, refusal: ByteBuffer) {
        self.token = token
        self.refusal = refusal
    }
}
