package import MediaCore

/// A media playlist as a value: the window of one rendition (RFC 8216bis § 4.4.2 to 4.4.4).
///
/// It has the content of the playlist, not its form. The tags of a segment, and the keys and maps at the head
/// of the window, follow from the segments when the text is rendered.
package struct MediaPlaylist: Hashable, Sendable {
    /// EXT-X-TARGETDURATION, in seconds.
    ///
    /// No segment's duration rounds to more, and it never changes.
    package var targetDuration: Int
    /// The number of the first segment.
    package var mediaSequence: MediaSequenceNumber
    /// The number of discontinuities that have left the head of the window.
    package var discontinuitySequence: Int
    package var segments: [Segment]
    /// The date ranges below the last segment; segments have those above them.
    package var dateRanges: [DateRange]
    package var variables: [PlaylistVariable]
    /// The key of the next crypto period; nil if none is announced.
    package var keyHint: KeyHint?
    /// True if each segment is a single picture that needs no other: EXT-X-I-FRAMES-ONLY.
    package var isIFramesOnly: Bool
    /// True if no segment will follow.
    package var isEnded: Bool
    /// True if it never changes: EXT-X-PLAYLIST-TYPE:VOD (RFC 8216bis § 4.4.3.5).
    package var isOnDemand = false
    /// True if segments are appended and never removed: EXT-X-PLAYLIST-TYPE:EVENT.
    package var isEvent = false
    /// False if the playlist has no date, and its segments count from any time.
    package var isDated = true

    /// The longest duration of a part: EXT-X-PART-INF; nil if there are no parts.
    package var partTarget: MediaTime?
    package var serverControl: ServerControl?
    /// The segments below the last whole one, in parts; rarely more than one.
    package var openSegments: [OpenSegment] = []
    package var hints: [PreloadHint] = []
    package var reports: [RenditionReport] = []
    /// The segments left out at the head, which ``mediaSequence`` counts; nil if this is no delta update.
    package var skip: Skip?

    /// Every tag, in the order of the lines.
    package var allDateRanges: [DateRange] { segments.flatMap(\.dateRanges) + dateRanges }

    /// The number of the newest segment, whole or not; nil if there is none, or it is beyond all numbers.
    var newest: MediaSequenceNumber? {
        let count = Int128(skip?.segmentCount ?? 0) + Int128(segments.count + openSegments.count)
        return count == 0 ? nil : Int64(exactly: Int128(mediaSequence.value) + count - 1).map(MediaSequenceNumber.init)
    }

    package init(
        targetDuration: Int,
        mediaSequence: MediaSequenceNumber,
        discontinuitySequence: Int = 0,
        segments: [Segment] = [],
        dateRanges: [DateRange] = [],
        variables: [PlaylistVariable] = [],
        keyHint: KeyHint? = nil,
        isIFramesOnly: Bool = false,
        isEnded: Bool = false
    ) {
        self.targetDuration = targetDuration
        self.mediaSequence = mediaSequence
        self.discontinuitySequence = discontinuitySequence
        self.segments = segments
        self.dateRanges = dateRanges
        self.variables = variables
        self.keyHint = keyHint
        self.isIFramesOnly = isIFramesOnly
        self.isEnded = isEnded
    }
}
