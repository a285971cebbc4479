package import MediaCore

/// What is kept of a token: not the token.
package struct ControlToken: Hashable, Sendable {
    /// Who has it.
    package var name: String
    package var role: ControlRole
    /// SHA-256.
    package var hash: [UInt8]
    /// UTC, counted from 1970; nil where it is good until it is taken off the list.
    package var expiry: MediaTime?

    /// Whether a token has this hash; how long that takes does not tell how much of it is right.
    func isOf(_ digest: [UInt8]) -> Bool { digest.isSame(as: hash) }
}
