package import MediaCore
package import Playlists

/// The contents of a presentation at one moment, for people to look at.
package struct WindowSnapshot: Hashable, Sendable {
    package var state: State
    /// The target duration, in seconds.
    package var targetDuration: Int
    /// The renditions, in the order in which they were declared.
    package var renditions: [Rendition]
    /// The time of the end of the last segment, in UTC; nil while nothing is listed.
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

    /// The phase of a stream.
    package enum State: String, Hashable, Sendable {
        /// Not every rendition has media yet.
        case starting
        /// All renditions have media, and more will come.
        case live
        /// The playlists have EXT-X-ENDLIST.
        case ended
    }

    package struct Rendition: Hashable, Sendable {
        package var id: RenditionID
        package var kind: MediaKind
        /// The RFC 6381 names of the media in its segments.
        package var codecs: [String]
        /// The size of the picture; nil for audio and text.
        package var resolution: Resolution?
        package var segments: [Segment]

        package init(
            id: RenditionID,
            kind: MediaKind,
            codecs: [String] = [],
            resolution: Resolution? = nil,
            segments: [Segment]
        ) {
            self.id = id
            self.kind = kind
            self.codecs = codecs
            self.resolution = resolution
            self.segments = segments
        }
    }

    package struct Segment: Hashable, Sendable {
        package var sequence: MediaSequenceNumber
        /// The time of its first sample, in UTC from 1970 on.
        package var start: MediaTime
        package var duration: SegmentDuration
        package var isGap: Bool
        package var startsDiscontinuity: Bool
        /// The URIs of its keys; empty if it is clear.
        package var keyURIs: [String]
        /// The size in bytes; 0 in a gap.
        package var byteCount: Int
        /// The replacement for media of the feed.
        package var filler: PublishedSegment.Filler?
        /// The choice of its input; nil if there is no choice.
        package var selection: SourceSelection?

        package init(
            sequence: MediaSequenceNumber,
            start: MediaTime,
            duration: SegmentDuration,
            isGap: Bool,
            startsDiscontinuity: Bool,
            keyURIs: [String],
            byteCount: Int,
            filler: PublishedSegment.Filler? = nil,
            selection: SourceSelection? = nil
        ) {
            self.sequence = sequence
            self.start = start
            self.duration = duration
            self.isGap = isGap
            self.startsDiscontinuity = startsDiscontinuity
            self.keyURIs = keyURIs
            self.byteCount = byteCount
            self.filler = filler
            self.selection = selection
        }
    }

    /// Counts of the content of one rendition's slots since the start.
    package struct SlotCounts: Hashable, Sendable {
        package var media = 0
        package var gaps = 0
        package var slates = 0
        package var holds = 0
        /// The duration of all that is not media of the feed.
        package var lost = MediaTime.zero

        package init() {}

        mutating func add(_ segment: ListedSegment) {
            switch segment.filler {
            case nil where segment.line.isGap: gaps += 1
            case nil: return media += 1
            case .slate: slates += 1
            case .hold: holds += 1
            }
            lost += segment.line.duration.time
        }
    }

    /// Counts since the start, and bytes now.
    package struct Totals: Hashable, Sendable {
        /// The number of segments with media, over all renditions.
        package var segments = 0
        /// The number of segments without media.
        package var gaps = 0
        /// The counts of each rendition.
        package var slots: [RenditionID: SlotCounts] = [:]
        /// The delays from the end of a slot to its publication.
        package var publicationDelay = DelayHistogram()
        /// The bytes of every body held.
        package var bytes = 0
        /// The number of segments removed before their time because the byte budget was used up.
        package var droppedEarly = 0

        package init() {}
    }
}
