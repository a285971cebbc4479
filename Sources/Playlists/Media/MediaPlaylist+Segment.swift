package import MediaCore

extension MediaPlaylist {
    /// A listed segment with everything that is in force for it.
    package struct Segment: Hashable, Sendable {
        package var uri: String
        /// The bytes of the resource; nil for all of them.
        package var byteRange: Range<Int>?
        package var duration: SegmentDuration
        /// The UTC of its first sample, counted from 1970.
        package var programDateTime: MediaTime
        /// True if its media is missing; players skip it without asking for its URI.
        package var isGap: Bool
        /// True if its timestamps or encoding do not continue those of the segment before.
        package var startsDiscontinuity: Bool
        /// The keys, one a KEYFORMAT, any of which decrypts it (RFC 8216bis § 4.4.4.4); empty if the segment is clear.
        package var keys: [EncryptionKey]
        /// The initialization section (EXT-X-MAP); nil for segments that need none, and for gaps that no segment
        /// precedes.
        package var map: MediaInitialization?
        /// The date ranges between this segment and the one before, whatever their times.
        package var dateRanges: [DateRange] = []
        /// The tags of the EXT-X-CUE-OUT family above it.
        package var cue: BreakCue?
        /// Its parts that are still listed; their durations add up to its own.
        package var parts: [Part] = []

        package init(
            uri: String,
            byteRange: Range<Int>? = nil,
            duration: SegmentDuration,
            programDateTime: MediaTime,
            isGap: Bool = false,
            startsDiscontinuity: Bool = false,
            keys: [EncryptionKey] = [],
            map: MediaInitialization? = nil
        ) {
            self.uri = uri
            self.byteRange = byteRange
            self.duration = duration
            self.programDateTime = programDateTime
            self.isGap = isGap
            self.startsDiscontinuity = startsDiscontinuity
            self.keys = keys
            self.map = map
        }
    }
}
