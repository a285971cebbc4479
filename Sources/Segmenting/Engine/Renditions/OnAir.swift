/// The content of a rendition's newest slot.
enum OnAir: Hashable, Sendable {
    /// The rendition has not begun.
    case nothing
    case input(InputID)
    case filler(CutSegment.Filler)
    case gap
    /// A gap whose first parts are media.
    case cutShort

    /// - Parameters:
    ///   - cut: The segment of a slot.
    ///   - input: The input that it is of; nil for none.
    init(_ cut: CutSegment, from input: InputID?) {
        self =
            if let filler = cut.filler { .filler(filler) } else if cut.isCutShort { .cutShort } else if cut.isGap {
                .gap
            } else if let input { .input(input) } else { .nothing }
    }

    /// True if no input has media, or not for all of the slot.
    var isSubstitute: Bool {
        switch self {
        case .filler, .gap, .cutShort: true
        case .nothing, .input: false
        }
    }
}
