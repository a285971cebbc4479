import MediaCore

/// WebVTT sample entry (wvtt), in `SampleDescriptionBox` (ISO/IEC 14496-30 § 7.5).
struct WebVTTSampleEntry: Box {
    static let type: FourCC = "wvtt"

    private let configuration = WebVTTConfigurationBox()

    var contentByteCount: Int { 8 + configuration.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        configuration.encode(into: &span)
    }
}

/// WebVTT configuration (vttC), in `WebVTTSampleEntry`: the header of a WebVTT file.
struct WebVTTConfigurationBox: Box {
    static let type: FourCC = "vttC"

    private let header = "WEBVTT"

    var contentByteCount: Int { header.utf8.count }

    func encodeContent(into span: inout OutputRawSpan) { span.write(header.utf8) }
}

/// XML subtitle sample entry (stpp), in `SampleDescriptionBox` (ISO/IEC 14496-12 § 12.6.3).
struct XMLSubtitleSampleEntry: Box {
    static let type: FourCC = "stpp"

    private let namespace = "http://www.w3.org/ns/ttml"

    var contentByteCount: Int { 8 + namespace.utf8.count + 3 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        span.write(namespace.utf8)
        span.writeZeros(3)  // its end; schema_location and auxiliary_mime_types, which are empty
    }
}
