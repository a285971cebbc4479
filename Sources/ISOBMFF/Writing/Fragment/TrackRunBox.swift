import MediaCore

/// Track run (trun), in `TrackFragmentBox` (ISO/IEC 14496-12 § 8.8.8).
struct TrackRunBox: FullBox {
    static let type: FourCC = "trun"

    /// Bytes from the start of `moof` to the first sample.
    var dataOffset: Int32 = 0
    var samples: [FragmentSample]
    var defaults: SampleDefaults

    // Version 1 has signed composition time offsets.
    var version: UInt8 { 1 }

    var flags: UInt32 {
        0x000001  // data-offset-present
            | (defaults.firstFlags == nil ? 0 : 0x000004)
            | (defaults.duration == nil ? 0x000100 : 0)
            | (defaults.size == nil ? 0x000200 : 0)
            | (defaults.flags == nil ? 0x000400 : 0)
            | (defaults.hasCompositionOffsets ? 0x000800 : 0)
    }

    private var sampleByteCount: Int {
        (defaults.duration == nil ? 4 : 0) + (defaults.size == nil ? 4 : 0)
            + (defaults.flags == nil ? 4 : 0) + (defaults.hasCompositionOffsets ? 4 : 0)
    }

    var fieldsByteCount: Int { 8 + (defaults.firstFlags == nil ? 0 : 4) + samples.count * sampleByteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(samples.count))
        span.writeInteger(dataOffset)
        if let flags = defaults.firstFlags { span.writeInteger(flags) }
        let samples = samples.span
        for index in samples.indices {
            if defaults.duration == nil { span.writeInteger(samples[index].duration) }
            if defaults.size == nil { span.writeInteger(samples[index].size) }
            if defaults.flags == nil { span.writeInteger(samples[index].flags) }
            if defaults.hasCompositionOffsets { span.writeInteger(samples[index].compositionOffset) }
        }
    }
}
