package import ContentProtection
package import MediaCore
package import NIOCore

/// Answers for the keys of one channel: what it gives out, anyone who reaches the origin can have, unless a
/// ``KeyResponder`` stands before it.
package protocol KeyService: Sendable {
    /// True if the keys protect samples by `cbcs`.
    var isCBCS: Bool { get }

    /// The protection of outputs that the channel's playlists ask for.
    var outputProtection: OutputProtection { get }

    /// Returns the state of a key ID: if there is a key, and if it may be had now.
    func availability(of keyID: KeyID) throws -> KeyAvailability

    /// The key with this ID, or nil if there is none or it may not be served now.
    func contentKey(_ keyID: KeyID) throws -> ContentKey?

    /// The key schedule as JSON: periods, key IDs and the slots they are for; no keys.
    func schedule() throws -> ByteBuffer

    /// Answers an EME Clear Key licence request.
    ///
    /// - Throws: An error if `request` is not one (W3C EME § 9.1.3).
    func license(for request: ByteBuffer) throws -> ByteBuffer
}
