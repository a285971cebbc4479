import MediaCore

/// Apple Lossless (alac), in `AudioSampleEntry`, which has the same type (Apple Lossless Audio Codec, "Magic Cookie").
struct ALACSpecificBox: FullBox {
    static let type: FourCC = "alac"

    var alac: ALACConfiguration

    var fieldsByteCount: Int { alac.specificConfig.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.write(alac.specificConfig)
    }
}
