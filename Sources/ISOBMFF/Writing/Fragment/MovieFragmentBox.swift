import MediaCore

/// Movie fragment (moof), before its `mdat` (ISO/IEC 14496-12 § 8.8.4).
struct MovieFragmentBox: Box {
    static let type: FourCC = "moof"

    var header: MovieFragmentHeaderBox
    var track: TrackFragmentBox

    /// Points to the media data right behind the fragment, and to `senc` at its end.
    init(header: MovieFragmentHeaderBox, track: TrackFragmentBox) {
        self.header = header
        self.track = track
        let byteCount = byteCount
        self.track.run.dataOffset = Int32(truncatingIfNeeded: byteCount + MediaDataBoxHeader.byteCount)
        if let encryption = track.encryption {
            let senc = encryption.samples
            self.track.encryption?.offsets?.offset = UInt32(byteCount - senc.byteCount + senc.entriesOffset)
        }
    }

    var contentByteCount: Int { header.byteCount + track.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        track.encode(into: &span)
    }
}

/// Movie fragment header (mfhd), in `MovieFragmentBox` (ISO/IEC 14496-12 § 8.8.5).
struct MovieFragmentHeaderBox: FullBox {
    static let type: FourCC = "mfhd"

    var sequenceNumber: UInt32

    var fieldsByteCount: Int { 4 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(sequenceNumber)
    }
}

/// The header of media data (mdat), behind `MovieFragmentBox` and before the payloads (ISO/IEC 14496-12 § 8.1.1).
struct MediaDataBoxHeader {
    static let type: FourCC = "mdat"
    static let byteCount = 8

    /// Fewer than 2^32 - 8.
    var payloadByteCount: Int

    func encode(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(Self.byteCount + payloadByteCount))
        span.writeInteger(Self.type.code)
    }
}
