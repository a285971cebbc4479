package import MediaCore
package import Playlists

/// The publications of an earlier run, or of a peer, that a channel continues from.
package struct PublishedWindow: Sendable {
    /// The first slot that was ever published; nil if there is none.
    package var first: MediaSequenceNumber?
    /// False if no slot of the window is listed any more; numbers continue after it.
    package var isListed = true
    /// The newest slot; nil if there is none.
    package var newest: MediaSequenceNumber?
    /// The renditions, in the order in which they were declared.
    package var renditions: [RenditionDescription]
    /// The ends of the renditions that the newest slot has.
    package var edges: [RenditionID: Edge]
    /// The parts that viewers have of the slots after the newest one, oldest slot first.
    package var open: [RenditionID: [OpenSlotParts]] = [:]
    /// The listed slots, oldest first.
    package var slots: [SlotOutline] = []
    /// The time, in UTC, at which nothing of it would be listed any more; nil if nothing can be.
    package var expires: MediaTime?
    /// The date ranges in its playlists.
    package var dateRanges: [DateRange] = []
    /// The splices of the programme that are not over yet.
    package var splicePlan = SplicePlan()

    /// The end of a rendition, whose media timeline is UTC.
    package struct Edge: Hashable, Sendable {
        /// The time of the first sample of its last segment, in UTC.
        package var start: MediaTime
        /// The exact time of the next sample, in UTC, in units of the timescale.
        package var end: Int64
        package var timescale: Int64
        /// True if that segment is a gap or a filler.
        package var isGap: Bool
        package var selection: SourceSelection?
        /// The fingerprint of its newest media, as ``ChannelEngine/SlotDecision/Segment/fingerprint``.
        package var fingerprint: String?

        package init(start: MediaTime, end: Int64, timescale: Int64, isGap: Bool, selection: SourceSelection? = nil) {
            self.start = start
            self.end = end
            self.timescale = timescale
            self.isGap = isGap
            self.selection = selection
        }
    }

    /// The parts that viewers have of a slot of a rendition that is still open.
    package struct OpenSlotParts: Hashable, Sendable {
        package var number: MediaSequenceNumber
        /// The durations of the parts, in order, exactly.
        package var durations: [SegmentDuration]
        /// The number of parts before the first gap.
        package var mediaCount: Int
        /// True if the slot begins with EXT-X-DISCONTINUITY.
        package var startsDiscontinuity: Bool

        package init(
            number: MediaSequenceNumber,
            durations: [SegmentDuration],
            mediaCount: Int,
            startsDiscontinuity: Bool = false
        ) {
            self.number = number
            self.durations = durations
            self.mediaCount = mediaCount
            self.startsDiscontinuity = startsDiscontinuity
        }

        /// The time from the start of the slot to the end of its parts.
        var duration: MediaTime { durations.reduce(.zero) { $0 + $1.time } }
    }

    package init(
        newest: MediaSequenceNumber?,
        renditions: [RenditionDescription],
        edges: [RenditionID: Edge],
        expires: MediaTime?
    ) {
        self.newest = newest
        self.renditions = renditions
        self.edges = edges
        self.expires = expires
    }
}

extension SegmentEnd {
    /// Makes the end of a track from the end of its rendition in an earlier run, or at a peer.
    init(_ edge: PublishedWindow.Edge) {
        let end = MediaTime(edge.end, timescale: edge.timescale)
        self.init(Boundary(media: end, utcOffset: .zero), timescale: edge.timescale)
        isGap = edge.isGap
    }
}
