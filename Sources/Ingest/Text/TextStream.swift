import MediaCore

/// A stream of the container that has text, and the tracks that are read in it.
struct TextStream: Hashable, Sendable {
    enum Format: Hashable, Sendable {
        /// EBU teletext in PES packets (ETSI EN 300 472).
        case teletext
        /// DVB subtitles (ETSI EN 300 743).
        case bitmaps
        /// A cue each, as Matroska has them.
        case webVTT
        /// Cues in boxes, as MP4 has them (ISO/IEC 14496-30).
        case webVTTBoxes
        /// Documents of TTML, as MP4 has them (ISO/IEC 14496-30).
        case ttml
        /// A codec that libavcodec decodes to text, by its name there.
        case decoded(String)
    }

    /// The index in the container.
    var index: Int
    var format: Format
    /// The header of each track that its decoder has to know: for a page of bitmaps its identifiers.
    var headers: [[UInt8]]
    /// A page, or a language, each; their indexes are no streams'.
    var tracks: [InputTrack]

    /// The first index, beyond those of streams, and of tracks that are encoded here.
    private static let firstIndex = 1 << 17
    /// Pages of one stream that are read at most.
    static let mostTracks = 64

    /// The index of one of its tracks.
    static func trackIndex(stream: Int, place: Int) -> InputTrackIndex {
        InputTrackIndex(firstIndex + stream * mostTracks + place)
    }
}
