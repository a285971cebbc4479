import MediaCore

/// Opus (dOps), in `AudioSampleEntry` (Encapsulation of Opus in ISO Base Media File Format § 4.3.2).
struct OpusSpecificBox: Box {
    static let type: FourCC = "dOps"

    var opus: OpusConfiguration

    var contentByteCount: Int { 11 + opus.mappingTable.count }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(UInt8(0))  // Version
        span.writeInteger(UInt8(clamping: opus.channels))
        span.writeInteger(opus.preSkip)
        span.writeInteger(opus.inputSampleRate)
        span.writeInteger(opus.outputGain)
        span.writeInteger(opus.mappingFamily)
        span.write(opus.mappingTable)
    }
}
