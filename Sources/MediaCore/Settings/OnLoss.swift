/// The content of a slot that no input has media for.
package enum OnLoss: String, Hashable, Sendable, CaseIterable {
    /// The slot is marked as a gap.
    case gap
    /// A prepared file.
    case slate
    /// The newest key frame, and silence.
    case hold
}
