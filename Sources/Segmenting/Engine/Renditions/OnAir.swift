/// The content of a rendition's newest slot.
enum OnAir: Hashable, Sendable {
    /// The rendition has not begun.
    case nothing
    case input(InputID)
    case filler(CutSegment.Filler)
    case gap

    /// True if no input has media.
    var isSubstitute: Bool {
        switch self {
        case .filler, .gap: true
        case .nothing, .input: false
        }
    }
}
