package import MediaCore

/// The record of a token: its hash, not the token.
package struct ControlToken: Hashable, Sendable {
    /// The name of its holder.
    package var name: String
    package var role: ControlRole
    /// SHA-256.
    package var hash: [UInt8]
    /// The expiry in UTC, counted from 1970; nil if the token is valid until it is removed from the list.
    package var expiry: MediaTime?

    /// Returns true if a token has this hash, in constant time.
    func isOf(_ digest: [UInt8]) -> Bool { digest.isSame(as: hash) }
}
