package import MediaCore

/// The record of a token: its hash, not the token.
package struct ControlToken: Hashable, Sendable {
    /// The name of its holder.
    package var name: String
    package var role: ControlRole
    /// SHA-256.
    package var hash: [UInt8]
    /// UTC, counted from 1970; nil if it is good until it is taken off the list.
    package var expiry: MediaTime?

    /// Returns true if a token has this hash; the time that it takes does not tell how much of it is right.
    func isOf(_ digest: [UInt8]) -> Bool { digest.isSame(as: hash) }
}
