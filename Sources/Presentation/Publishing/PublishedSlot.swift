package import MediaCore
package import Playlists

/// One slot of the segment grid with the segments of all renditions.
package struct PublishedSlot: Sendable {
    package var number: MediaSequenceNumber
    /// True if slots before it were left out: neither they nor those before them would be listed any more.
    package var followsLeap: Bool
    /// True if timestamps or encoding do not continue those of the slot before, in any rendition.
    package var startsDiscontinuity: Bool
    /// True if it may be the first that is listed only with media in every rendition.
    package var waitsForAll = false
    /// The segments, one for every declared rendition.
    package var segments: [RenditionID: PublishedSegment]
    /// The date ranges that every playlist has around its segment.
    package var dateRanges = DateRangeLines()
    /// The programme's splices to come; nil if they are as before.
    package var splicePlan: SplicePlan?
    /// The renditions that no input has any more.
    package var withdrawn: Set<RenditionID> = []
    /// True if some media is not published because its key is missing.
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
