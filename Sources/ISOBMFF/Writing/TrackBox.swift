import MediaCore

/// Track (trak), in `MovieBox` (ISO/IEC 14496-12 § 8.3.1).
struct TrackBox: Box {
    static let type: FourCC = "trak"

    var header: TrackHeaderBox
    var media: MediaBox

    var contentByteCount: Int { header.byteCount + media.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        media.encode(into: &span)
    }
}

/// Track header (tkhd), in `TrackBox` (ISO/IEC 14496-12 § 8.3.2).
struct TrackHeaderBox: FullBox {
    static let type: FourCC = "tkhd"

    var trackID: UInt32
    var kind: MediaKind
    /// Size of presentation in square pixels, 16.16 fixed point; 0 for all but video.
    var width: UInt32
    var height: UInt32
    var rotation = PictureRotation.none

    /// track_enabled and track_in_movie.
    var flags: UInt32 { 0x000003 }
    var fieldsByteCount: Int { 80 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(8)  // creation_time, modification_time
        span.writeInteger(trackID)
        span.writeZeros(4)
        span.writeInteger(UInt32(0))  // duration
        span.writeZeros(8)
        span.writeZeros(4)  // layer, alternate_group
        span.writeInteger(UInt16(kind == .audio ? 0x0100 : 0))  // volume
        span.writeZeros(2)
        span.writeMatrix(rotation, width: width, height: height)
        span.writeInteger(width)
        span.writeInteger(height)
    }
}
