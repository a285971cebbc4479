import MediaCore

/// Sample table (stbl), in `MediaInformationBox`: sample entries, and tables that are empty where samples follow in
/// fragments (ISO/IEC 14496-12 § 8.5.1).
struct SampleTableBox: Box {
    static let type: FourCC = "stbl"

    var descriptions: SampleDescriptionBox
    var times = TimeToSampleBox()
    /// Nil if all samples are presented when they are decoded.
    var offsets: CompositionOffsetBox?
    /// Nil if decoding may start at every sample.
    var syncSamples: SyncSampleBox?
    var chunks = SampleToChunkBox()
    var sizes = SampleSizeBox()
    var chunkOffsets = ChunkOffsetBox()

    var contentByteCount: Int {
        descriptions.byteCount + times.byteCount + (offsets?.byteCount ?? 0) + (syncSamples?.byteCount ?? 0)
            + chunks.byteCount + sizes.byteCount + chunkOffsets.byteCount
    }

    func encodeContent(into span: inout OutputRawSpan) {
        descriptions.encode(into: &span)
        times.encode(into: &span)
        offsets?.encode(into: &span)
        syncSamples?.encode(into: &span)
        chunks.encode(into: &span)
        sizes.encode(into: &span)
        chunkOffsets.encode(into: &span)
    }
}

/// Sample description (stsd), in `SampleTableBox` (ISO/IEC 14496-12 § 8.5.2).
struct SampleDescriptionBox: FullBox {
    static let type: FourCC = "stsd"

    /// Each a `VisualSampleEntry`, an `AudioSampleEntry` or a copy of one.
    var entries: [any Box]

    init(entry: any Box) { entries = [entry] }

    init(entries: [any Box]) { self.entries = entries }

    var fieldsByteCount: Int { 4 + entries.byteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(entries.count))
        entries.encode(into: &span)
    }
}

/// Decoding time to sample (stts), in `SampleTableBox` (ISO/IEC 14496-12 § 8.6.1.2).
struct TimeToSampleBox: FullBox {
    static let type: FourCC = "stts"

    /// Durations of samples, in order.
    var runs = ValueRuns()

    var fieldsByteCount: Int { runs.byteCount }

    func encodeFields(into span: inout OutputRawSpan) { runs.encode(into: &span) }
}

/// Sample to chunk (stsc), in `SampleTableBox` (ISO/IEC 14496-12 § 8.7.4).
struct SampleToChunkBox: FullBox {
    static let type: FourCC = "stsc"

    var entries: [Entry] = []

    /// Chunks that follow each other and are alike.
    struct Entry {
        /// The number of the first, from 1 on.
        var firstChunk: UInt32
        var samplesPerChunk: UInt32
        /// The number of the sample entry, from 1 on.
        var description: UInt32
    }

    var fieldsByteCount: Int { 4 + 12 * entries.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(entries.count))
        for entry in entries {
            span.writeInteger(entry.firstChunk)
            span.writeInteger(entry.samplesPerChunk)
            span.writeInteger(entry.description)
        }
    }
}

/// Sample size (stsz), in `SampleTableBox` (ISO/IEC 14496-12 § 8.7.3).
struct SampleSizeBox: FullBox {
    static let type: FourCC = "stsz"

    var sizes: [UInt32] = []

    var fieldsByteCount: Int { 8 + 4 * sizes.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(4)  // sample_size: they differ
        span.writeInteger(UInt32(sizes.count))
        for size in sizes { span.writeInteger(size) }
    }
}

/// Chunk offset (stco, or co64 with 64 bits), in `SampleTableBox` (ISO/IEC 14496-12 § 8.7.5).
struct ChunkOffsetBox: FullBox {
    static let type: FourCC = "stco"

    /// Bytes from the start of the file.
    var offsets: [UInt64] = []
    /// True if offsets are written with 64 bits.
    var isLarge = false

    var type: FourCC { isLarge ? "co64" : "stco" }
    var fieldsByteCount: Int { 4 + (isLarge ? 8 : 4) * offsets.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(offsets.count))
        for offset in offsets {
            if isLarge {
                span.writeInteger(offset)
            } else {
                span.writeInteger(UInt32(truncatingIfNeeded: offset))
            }
        }
    }
}
