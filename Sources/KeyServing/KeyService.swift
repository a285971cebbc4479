package import ContentProtection
package import MediaCore
package import NIOCore

/// The keys of one channel.
///
/// Anyone who reaches the origin can have them, unless a ``KeyResponder`` protects them.
package protocol KeyService: Sendable {
    /// True if the keys protect samples by `cbcs`.
    var isCBCS: Bool { get }

    /// The protection of outputs that the channel's playlists require.
    var outputProtection: OutputProtection { get }

    /// Returns the state of a key ID: if there is a key, and if it is available now.
    ///
    /// - Parameters:
    ///   - keyID: The ID.
    ///   - systems: The key systems whose clients ask; nil for any. The keys of other systems are unknown to them: these
    ///     have licence servers.
    /// - Returns: The state.
    /// - Throws: The reason why that cannot be found out now.
    func availability(of keyID: KeyID, for systems: Set<KeySystem>?) throws -> KeyAvailability

    /// Returns the key with this ID; nil if there is none or it may not be served now.
    func contentKey(_ keyID: KeyID) throws -> ContentKey?

    /// The key schedule as JSON: periods, key IDs and the slots they are for; no keys.
    func schedule() throws -> ByteBuffer

    /// Answers an EME Clear Key licence request.
    ///
    /// - Throws: An error if `request` is not one (W3C EME § 9.1.3).
    func license(for request: ByteBuffer) throws -> ByteBuffer
}
