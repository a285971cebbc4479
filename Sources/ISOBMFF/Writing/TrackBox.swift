import MediaCore

/// Track (trak), in `MovieBox` (ISO/IEC 14496-12 § 8.3.1).
struct TrackBox: Box {
    static let type: FourCC = "trak"

    var header: TrackHeaderBox
    var edits: EditBox?
    var media: MediaBox

    var contentByteCount: Int { header.byteCount + (edits?.byteCount ?? 0) + media.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        edits?.encode(into: &span)
        media.encode(into: &span)
    }
}

/// Track header (tkhd), in `TrackBox` (ISO/IEC 14496-12 § 8.3.2).
struct TrackHeaderBox: FullBox {
    static let type: FourCC = "tkhd"

    var trackID: UInt32
    var kind: MediaKind
    /// Ticks of the movie's timescale; 0 in a live movie.
    var duration: UInt32 = 0
    var placement: PicturePlacement

    /// - Parameters:
    ///   - trackID: The number of the track.
    ///   - kind: The kind of the track.
    ///   - width: The width of presentation in square pixels, 16.16 fixed point; 0 for all but video.
    ///   - height: The same.
    ///   - rotation: The rotation of its pictures.
    init(trackID: UInt32, kind: MediaKind, width: UInt32, height: UInt32, rotation: PictureRotation = .none) {
        self.trackID = trackID
        self.kind = kind
        placement = PicturePlacement(width: width, height: height, rotation: rotation)
    }

    /// - Parameters:
    ///   - trackID: The number of the track.
    ///   - kind: The kind of the track.
    ///   - duration: Ticks of the movie's timescale.
    ///   - placement: The place of its pictures.
    init(trackID: UInt32, kind: MediaKind, duration: UInt32, placement: PicturePlacement) {
        (self.trackID, self.kind, self.duration, self.placement) = (trackID, kind, duration, placement)
    }

    /// track_enabled and track_in_movie.
    var flags: UInt32 { 0x000003 }
    var fieldsByteCount: Int { 80 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(8)  // creation_time, modification_time
        span.writeInteger(trackID)
        span.writeZeros(4)
        span.writeInteger(duration)
        span.writeZeros(8)
        span.writeZeros(4)  // layer, alternate_group
        span.writeInteger(UInt16(kind == .audio ? 0x0100 : 0))  // volume
        span.writeZeros(2)
        for value in placement.matrix + [placement.width, placement.height] { span.writeInteger(value) }
    }
}
