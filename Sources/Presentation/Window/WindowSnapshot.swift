package import MediaCore
package import Playlists

/// What a presentation holds at one moment, for people to look at.
package struct WindowSnapshot: Hashable, Sendable {
    package var state: State
    /// Seconds.
    package var targetDuration: Int
    /// In the order in which they were declared.
    package var renditions: [Rendition]
    /// UTC of the end of the last segment; nil while nothing is listed.
    package var liveEdge: MediaTime?
    package var totals: Totals

    package init(
        state: State,
        targetDuration: Int,
        renditions: [Rendition],
        liveEdge: MediaTime?,
        totals: Totals
    ) {
        self.state = state
        self.targetDuration = targetDuration
        self.renditions = renditions
        self.liveEdge = liveEdge
        self.totals = totals
    }

    package enum State: String, Hashable, Sendable {
        /// Not every rendition has media yet.
        case starting
        case live
        case ended
    }

    package struct Rendition: Hashable, Sendable {
        package var id: RenditionID
        package var kind: MediaKind
        package var segments: [Segment]

        package init(
            id: RenditionID,
            kind: MediaKind,
            segments: [Segment]
        ) {
            self.id = id
            self.kind = kind
            self.segments = segments
        }
    }

    package struct Segment: Hashable, Sendable {
        package var sequence: MediaSequenceNumber
        /// UTC, counted from 1970.
        package var start: MediaTime
        package var duration: SegmentDuration
        package var isGap: Bool
        package var startsDiscontinuity: Bool
        /// None where it is clear.
        package var keyURIs: [String]
        /// 0 in a gap.
        package var byteCount: Int

        package init(
            sequence: MediaSequenceNumber,
            start: MediaTime,
            duration: SegmentDuration,
            isGap: Bool,
            startsDiscontinuity: Bool,
            keyURIs: [String],
            byteCount: Int
        ) {
            self.sequence = sequence
            self.start = start
            self.duration = duration
            self.isGap = isGap
            self.startsDiscontinuity = startsDiscontinuity
            self.keyURIs = keyURIs
            self.byteCount = byteCount
        }
    }

    /// Counts since the start, and bytes now.
    package struct Totals: Hashable, Sendable {
        /// Segments with media, over all renditions.
        package var segments = 0
        /// Segments without.
        package var gaps = 0
        /// Bytes of every body held.
        package var bytes = 0
        /// Segments taken away before their time because the byte budget was used up.
        package var droppedEarly = 0
    }
}
