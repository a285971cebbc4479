import MediaCore

/// Movie (moov), behind `ftyp`: one track whose samples follow in fragments, or tracks with all of theirs (ISO/IEC
/// 14496-12 § 8.2.1).
struct MovieBox: Box {
    static let type: FourCC = "moov"

    var header: MovieHeaderBox
    var tracks: [TrackBox]
    /// Nil if no fragments follow.
    var extends: MovieExtendsBox?
    var protectionSystems: [ProtectionSystemSpecificHeaderBox] = []

    var contentByteCount: Int {
        let tracksByteCount = tracks.reduce(0) { $0 + $1.byteCount }
        return protectionSystems.reduce(header.byteCount + tracksByteCount + (extends?.byteCount ?? 0)) {
            $0 + $1.byteCount
        }
    }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        for track in tracks { track.encode(into: &span) }
        extends?.encode(into: &span)
        for system in protectionSystems { system.encode(into: &span) }
    }
}

/// Movie header (mvhd), in `MovieBox`, without a creation time (ISO/IEC 14496-12 § 8.2.2).
struct MovieHeaderBox: FullBox {
    static let type: FourCC = "mvhd"

    /// Ticks per second.
    var timescale: UInt32
    /// Ticks; 0 in a live movie.
    var duration: UInt32 = 0
    /// Greater than every track_ID in use.
    var nextTrackID: UInt32

    var fieldsByteCount: Int { 96 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(8)  // creation_time, modification_time
        span.writeInteger(timescale)
        span.writeInteger(duration)
        span.writeInteger(UInt32(0x0001_0000))  // rate 1.0
        span.writeInteger(UInt16(0x0100))  // volume 1.0
        span.writeZeros(10)
        span.writeUnityMatrix()
        span.writeZeros(24)  // pre_defined
        span.writeInteger(nextTrackID)
    }
}

/// Movie extends (mvex), in `MovieBox`: fragments follow (ISO/IEC 14496-12 § 8.8.1).
struct MovieExtendsBox: Box {
    static let type: FourCC = "mvex"

    var trackExtends: TrackExtendsBox

    var contentByteCount: Int { trackExtends.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        trackExtends.encode(into: &span)
    }
}

/// Track extends (trex), in `MovieExtendsBox`: every fragment states its own defaults (ISO/IEC 14496-12 § 8.8.3).
struct TrackExtendsBox: FullBox {
    static let type: FourCC = "trex"

    var trackID: UInt32

    var fieldsByteCount: Int { 20 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(trackID)
        span.writeInteger(UInt32(1))  // default_sample_description_index
        span.writeZeros(12)  // default_sample_duration, _size, _flags
    }
}
