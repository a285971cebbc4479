/// The treatment of segments whose content key is not there when they are due; none is ever published in the clear.
package enum LateKey: String, Hashable, Sendable, CaseIterable {
    /// Segments are held back for as long as a playlist may be late, and become gaps then.
    case hold
    /// The previous key continues; without one, as ``hold``.
    case reuse
    /// Segments become gaps.
    case gap
    /// Segments become gaps, and playlists are refused.
    case fail
}
