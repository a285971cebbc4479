import MediaCore

/// Track fragment (traf), in `MovieFragmentBox` (ISO/IEC 14496-12 § 8.8.6).
struct TrackFragmentBox: Box {
    static let type: FourCC = "traf"

    var header: TrackFragmentHeaderBox
    var decodeTime: TrackFragmentDecodeTimeBox
    var run: TrackRunBox
    var encryption: SampleEncryptionBoxes?

    var contentByteCount: Int {
        header.byteCount + decodeTime.byteCount + run.byteCount + (encryption?.byteCount ?? 0)
    }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        decodeTime.encode(into: &span)
        run.encode(into: &span)
        encryption?.encode(into: &span)
    }
}

/// Track fragment header (tfhd), in `TrackFragmentBox` (ISO/IEC 14496-12 § 8.8.7).
///
/// It repeats what `trex` could say, as brand cmf2 wants it (ISO/IEC 23000-19 § 7.7.3).
struct TrackFragmentHeaderBox: FullBox {
    static let type: FourCC = "tfhd"

    var trackID: UInt32
    var defaults: SampleDefaults

    var flags: UInt32 {
        // default-base-is-moof, sample-description-index-present, and the defaults in use
        0x02_0000 | 0x00_0002
            | (defaults.duration == nil ? 0 : 0x00_0008)
            | (defaults.size == nil ? 0 : 0x00_0010)
            | (defaults.flags == nil ? 0 : 0x00_0020)
    }

    var fieldsByteCount: Int {
        8 + (defaults.duration == nil ? 0 : 4) + (defaults.size == nil ? 0 : 4) + (defaults.flags == nil ? 0 : 4)
    }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(trackID)
        span.writeInteger(UInt32(1))  // sample_description_index
        if let duration = defaults.duration { span.writeInteger(duration) }
        if let size = defaults.size { span.writeInteger(size) }
        if let flags = defaults.flags { span.writeInteger(flags) }
    }
}

/// Track fragment decode time (tfdt), in `TrackFragmentBox` (ISO/IEC 14496-12 § 8.8.12).
struct TrackFragmentDecodeTimeBox: FullBox {
    static let type: FourCC = "tfdt"

    /// Ticks of the track's timescale.
    var baseMediaDecodeTime: UInt64

    // Version 1 has 64 bits: times count from 1970.
    var version: UInt8 { 1 }
    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(baseMediaDecodeTime)
    }
}
