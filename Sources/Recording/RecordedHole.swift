package import MediaCore
package import Playlists

/// A slot that was not recorded, or not with all renditions.
package struct RecordedHole: Hashable, Sendable {
    package var number: MediaSequenceNumber
    /// The renditions that are gaps; nil if nothing of the slot was recorded.
    package var renditions: Set<RenditionID>?

    package init(number: MediaSequenceNumber, renditions: Set<RenditionID>?) {
        (self.number, self.renditions) = (number, renditions)
    }
}
