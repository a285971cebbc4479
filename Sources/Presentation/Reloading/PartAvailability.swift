/// The availability of a requested part.
package enum PartAvailability: Hashable, Sendable {
    /// The part exists, or is a gap.
    case exists
    /// The part may still come: a playlist hints at it, or will if the segment ends before.
    case awaited
    /// The part never comes, or is no longer served.
    case never
}
