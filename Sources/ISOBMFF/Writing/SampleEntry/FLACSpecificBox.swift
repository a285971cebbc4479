import MediaCore

/// FLAC (dfLa), in `AudioSampleEntry` (Encapsulation of FLAC in ISO Base Media File Format § 3.3.2).
struct FLACSpecificBox: FullBox {
    static let type: FourCC = "dfLa"

    var flac: FLACConfiguration

    var fieldsByteCount: Int { 4 + flac.streamInfo.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt8(0x80))  // the last metadata block, of type STREAMINFO
        span.writeUInt24(UInt32(truncatingIfNeeded: flac.streamInfo.count))
        span.write(flac.streamInfo)
    }
}
