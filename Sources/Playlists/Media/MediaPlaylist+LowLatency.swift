package import MediaCore

/// The low-latency half of a media playlist (RFC 8216bis § 4.4.3.7, 4.4.3.8, 4.4.4.9, 4.4.5.2 to 4.4.5.4).
extension MediaPlaylist {
    /// The delivery directives that the server obeys: EXT-X-SERVER-CONTROL (RFC 8216bis § 4.4.3.8).
    package struct ServerControl: Hashable, Sendable {
        /// The distance from the end beyond which a delta update skips segments; nil if there are no delta updates.
        package var canSkipUntil: MediaTime?
        /// True if a delta update can leave out date ranges too.
        package var canSkipDateRanges: Bool
        /// The least distance from the end for players that do not read parts; nil is three target durations.
        package var holdBack: MediaTime?
        /// The least distance from the end for players that read parts.
        package var partHoldBack: MediaTime?
        /// True if reloads can block.
        package var canBlockReload: Bool

        package init(
            canSkipUntil: MediaTime? = nil,
            canSkipDateRanges: Bool = false,
            holdBack: MediaTime? = nil,
            partHoldBack: MediaTime? = nil,
            canBlockReload: Bool = false
        ) {
            self.canSkipUntil = canSkipUntil
            self.canSkipDateRanges = canSkipDateRanges
            self.holdBack = holdBack
            self.partHoldBack = partHoldBack
            self.canBlockReload = canBlockReload
        }
    }

    /// A part of a segment, available before the rest: EXT-X-PART (RFC 8216bis § 4.4.4.9).
    package struct Part: Hashable, Sendable {
        package var uri: String
        /// The bytes of the resource; nil for all of them.
        package var byteRange: Range<Int>?
        package var duration: SegmentDuration
        /// True if playback can begin in it.
        package var isIndependent: Bool
        /// True if its media is missing.
        package var isGap: Bool

        package init(
            uri: String,
            byteRange: Range<Int>? = nil,
            duration: SegmentDuration,
            isIndependent: Bool = false,
            isGap: Bool = false
        ) {
            self.uri = uri
            self.byteRange = byteRange
            self.duration = duration
            self.isIndependent = isIndependent
            self.isGap = isGap
        }
    }

    /// A resource that players can ask for before it is listed: EXT-X-PRELOAD-HINT (RFC 8216bis § 4.4.5.3).
    ///
    /// A key is another kind of hint: ``KeyHint``.
    package struct PreloadHint: Hashable, Sendable {
        package var kind: Kind
        package var uri: String
        /// The first byte of it in the resource; nil is the first.
        package var byteRangeStart: Int?
        /// The number of its bytes; nil for all to the end.
        package var byteRangeLength: Int?

        package enum Kind: String, Hashable, Sendable {
            /// The next part.
            case part = "PART"
            /// The initialization section that the next part needs.
            case map = "MAP"
        }

        package init(kind: Kind, uri: String, byteRangeStart: Int? = nil, byteRangeLength: Int? = nil) {
            self.kind = kind
            self.uri = uri
            self.byteRangeStart = byteRangeStart
            self.byteRangeLength = byteRangeLength
        }
    }

    /// The newest segment and part of another rendition: EXT-X-RENDITION-REPORT (RFC 8216bis § 4.4.5.4).
    package struct RenditionReport: Hashable, Sendable {
        /// The URI of its playlist, relative to this one.
        package var uri: String
        /// The newest segment, whole or not.
        package var lastSequence: MediaSequenceNumber
        /// The newest part of that segment; nil if the rendition has no parts.
        package var lastPart: Int?

        package init(uri: String, lastSequence: MediaSequenceNumber, lastPart: Int? = nil) {
            self.uri = uri
            self.lastSequence = lastSequence
            self.lastPart = lastPart
        }
    }

    /// The segments that a delta update leaves out at its head: EXT-X-SKIP (RFC 8216bis § 4.4.5.2).
    package struct Skip: Hashable, Sendable {
        package var segmentCount: Int
        /// The identifiers of date ranges that left the playlist recently; nil if date ranges are not skipped.
        package var removedDateRanges: [String]?

        package init(segmentCount: Int, removedDateRanges: [String]? = nil) {
            self.segmentCount = segmentCount
            self.removedDateRanges = removedDateRanges
        }
    }

    /// A segment that is not over, before its EXTINF.
    package struct OpenSegment: Hashable, Sendable {
        /// The UTC of its first sample, counted from 1970.
        package var programDateTime: MediaTime
        /// True if its timestamps or encoding do not continue those of the segment before.
        package var startsDiscontinuity: Bool
        /// The keys, one a KEYFORMAT, any of which decrypts it; empty if it is clear.
        package var keys: [EncryptionKey]
        /// The initialization section; nil if it needs none.
        package var map: MediaInitialization?
        /// The parts that are complete.
        package var parts: [Part]

        package init(
            programDateTime: MediaTime,
            startsDiscontinuity: Bool = false,
            keys: [EncryptionKey] = [],
            map: MediaInitialization? = nil,
            parts: [Part]
        ) {
            self.programDateTime = programDateTime
            self.startsDiscontinuity = startsDiscontinuity
            self.keys = keys
            self.map = map
            self.parts = parts
        }
    }
}
