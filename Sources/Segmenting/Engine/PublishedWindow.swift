package import MediaCore
package import Playlists

/// What an earlier run, or a peer, has published, as far as a channel goes on from it.
package struct PublishedWindow: Sendable {
    /// The first slot that was ever published; nil if there is none.
    package var first: MediaSequenceNumber?
    /// False where nothing of it is listed any more: numbers go on all the same.
    package var isListed = true
    /// The newest slot; nil if there is none.
    package var newest: MediaSequenceNumber?
    /// In the order in which they were declared.
    package var renditions: [RenditionDescription]
    /// Where each broke off, as far as the newest slot has it.
    package var edges: [RenditionID: Edge]
    /// What is listed of it, oldest first.
    package var slots: [SlotOutline] = []
    /// UTC at which nothing of it would be listed any more; nil where nothing can be.
    package var expires: MediaTime?
    /// What it tells of the programme's splices.
    package var dateRanges: [DateRange] = []
    /// What is to follow of them.
    package var splicePlan = SplicePlan()

    /// Where a rendition broke off; its media timeline is UTC.
    package struct Edge: Hashable, Sendable {
        /// UTC of the first sample of its last segment.
        package var start: MediaTime
        /// UTC of the first sample to come, exactly, in units of the timescale.
        package var end: Int64
        package var timescale: Int64
        /// Whether that segment is a gap, or what stands in for media.
        package var isGap: Bool
        package var selection: SourceSelection?
        /// What its newest media is decoded with, as ``ChannelEngine/SlotDecision/Segment/fingerprint``.
        package var fingerprint: String?

        package init(start: MediaTime, end: Int64, timescale: Int64, isGap: Bool, selection: SourceSelection? = nil) {
            self.start = start
            self.end = end
            self.timescale = timescale
            self.isGap = isGap
            self.selection = selection
        }
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
    /// Where an earlier run, or a peer, broke off.
    init(_ edge: PublishedWindow.Edge) {
        let end = MediaTime(edge.end, timescale: edge.timescale)
        self.init(Boundary(media: end, utcOffset: .zero), timescale: edge.timescale)
        isGap = edge.isGap
    }
}
