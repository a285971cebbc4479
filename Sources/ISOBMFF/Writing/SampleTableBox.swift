import MediaCore

/// Sample table (stbl), in `MediaInformationBox`: a sample entry and empty tables (ISO/IEC 14496-12 § 8.5.1).
struct SampleTableBox: Box {
    static let type: FourCC = "stbl"

    var descriptions: SampleDescriptionBox

    private let times = TimeToSampleBox()
    private let chunks = SampleToChunkBox()
    private let sizes = SampleSizeBox()
    private let offsets = ChunkOffsetBox()

    init(descriptions: SampleDescriptionBox) {
        self.descriptions = descriptions
    }

    var contentByteCount: Int {
        descriptions.byteCount + times.byteCount + chunks.byteCount + sizes.byteCount + offsets.byteCount
    }

    func encodeContent(into span: inout OutputRawSpan) {
        descriptions.encode(into: &span)
        times.encode(into: &span)
        chunks.encode(into: &span)
        sizes.encode(into: &span)
        offsets.encode(into: &span)
    }
}

/// Sample description (stsd), in `SampleTableBox` (ISO/IEC 14496-12 § 8.5.2).
struct SampleDescriptionBox: FullBox {
    static let type: FourCC = "stsd"

    /// A `VisualSampleEntry` or an `AudioSampleEntry`.
    var entry: any Box

    var fieldsByteCount: Int { 4 + entry.byteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(1))  // entry_count
        entry.encode(into: &span)
    }
}

/// Decoding time to sample (stts), in `SampleTableBox`, empty (ISO/IEC 14496-12 § 8.6.1.2).
struct TimeToSampleBox: FullBox {
    static let type: FourCC = "stts"

    var fieldsByteCount: Int { 4 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(0))  // entry_count
    }
}

/// Sample to chunk (stsc), in `SampleTableBox`, empty (ISO/IEC 14496-12 § 8.7.4).
struct SampleToChunkBox: FullBox {
    static let type: FourCC = "stsc"

    var fieldsByteCount: Int { 4 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(0))  // entry_count
    }
}

/// Sample size (stsz), in `SampleTableBox`, empty (ISO/IEC 14496-12 § 8.7.3).
struct SampleSizeBox: FullBox {
    static let type: FourCC = "stsz"

    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(8)  // sample_size, sample_count
    }
}

/// Chunk offset (stco), in `SampleTableBox`, empty (ISO/IEC 14496-12 § 8.7.5).
struct ChunkOffsetBox: FullBox {
    static let type: FourCC = "stco"

    var fieldsByteCount: Int { 4 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(0))  // entry_count
    }
}
