/// The treatment of segments whose content key is not there when they are due; none is ever published in the clear.
package enum LateKey: String, Hashable, Sendable, CaseIterable {
    /// They are held back for as long as a playlist may be late, and are gaps then.
    case hold
    /// The key before goes on; where there is none, as ``hold``.
    case reuse
    /// They are gaps.
    case gap
    /// They are gaps, and playlists are refused.
    case fail
}
