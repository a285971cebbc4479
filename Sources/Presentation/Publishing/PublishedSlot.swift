package import MediaCore
package import Playlists

/// One slot of the segment grid with what every rendition has for it.
package struct PublishedSlot: Sendable {
    package var number: MediaSequenceNumber
    /// Whether slots before it were left out: none of them, nor what was before them, would be listed any more.
    package var followsLeap: Bool
    /// Whether timestamps or encoding do not continue those of the slot before, in any rendition.
    package var startsDiscontinuity: Bool
    /// True if it can be the first that is listed only with media in every rendition.
    package var waitsForAll = false
    /// One segment of every declared rendition.
    package var segments: [RenditionID: PublishedSegment]
    /// What every playlist says around its segments.
    package var dateRanges = DateRangeLines()
    /// What is to follow of the programme's splices; nil where that is as before.
    package var splicePlan: SplicePlan?
    /// Renditions that no input has any more.
    package var withdrawn: Set<RenditionID> = []
    /// True if there is media that is not published, since its key is missing.
    package var lacksKeys = false

    package init(
        number: MediaSequenceNumber,
        followsLeap: Bool = false,
        startsDiscontinuity: Bool = false,
        segments: [RenditionID: PublishedSegment]
    ) {
        self.number = number
        self.followsLeap = followsLeap
        self.startsDiscontinuity = startsDiscontinuity
        self.segments = segments
    }
}
