import MediaCore

/// Media information (minf), in `MediaBox` (ISO/IEC 14496-12 § 8.4.4).
struct MediaInformationBox: Box {
    static let type: FourCC = "minf"

    var kind: MediaKind
    var data = DataInformationBox()
    var sampleTable: SampleTableBox

    private var header: any Box {
        switch kind {
        case .video: VideoMediaHeaderBox()
        case .audio: SoundMediaHeaderBox()
        case .text(.imsc1): SubtitleMediaHeaderBox()
        case .text(.webVTT): NullMediaHeaderBox()
        }
    }

    var contentByteCount: Int { header.byteCount + data.byteCount + sampleTable.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        data.encode(into: &span)
        sampleTable.encode(into: &span)
    }
}

/// Video media header (vmhd), in `MediaInformationBox` (ISO/IEC 14496-12 § 12.1.2).
struct VideoMediaHeaderBox: FullBox {
    static let type: FourCC = "vmhd"

    // ISO/IEC 14496-12 § 12.1.2: the flags are 1.
    var flags: UInt32 { 1 }
    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(8)  // graphicsmode copy, opcolor black
    }
}

/// Sound media header (smhd), in `MediaInformationBox` (ISO/IEC 14496-12 § 12.2.2).
struct SoundMediaHeaderBox: FullBox {
    static let type: FourCC = "smhd"

    var fieldsByteCount: Int { 4 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(4)  // balance centre
    }
}

/// Subtitle media header (sthd), in `MediaInformationBox` (ISO/IEC 14496-12 § 12.6.2).
struct SubtitleMediaHeaderBox: FullBox {
    static let type: FourCC = "sthd"

    var fieldsByteCount: Int { 0 }

    func encodeFields(into span: inout OutputRawSpan) {}
}

/// Null media header (nmhd), in `MediaInformationBox` (ISO/IEC 14496-12 § 8.4.5.2).
struct NullMediaHeaderBox: FullBox {
    static let type: FourCC = "nmhd"

    var fieldsByteCount: Int { 0 }

    func encodeFields(into span: inout OutputRawSpan) {}
}

/// Data information (dinf), in `MediaInformationBox` (ISO/IEC 14496-12 § 8.7.1).
struct DataInformationBox: Box {
    static let type: FourCC = "dinf"

    var reference = DataReferenceBox()

    var contentByteCount: Int { reference.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        reference.encode(into: &span)
    }
}

/// Data reference (dref), in `DataInformationBox` (ISO/IEC 14496-12 § 8.7.2).
struct DataReferenceBox: FullBox {
    static let type: FourCC = "dref"

    var location = DataEntryURLBox()

    var fieldsByteCount: Int { 4 + location.byteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(1))  // entry_count
        location.encode(into: &span)
    }
}

/// Data entry URL (url), in `DataReferenceBox`: media data are in the file itself (ISO/IEC 14496-12 § 8.7.2).
struct DataEntryURLBox: FullBox {
    static let type: FourCC = "url "

    /// Self-contained.
    var flags: UInt32 { 1 }
    var fieldsByteCount: Int { 0 }

    func encodeFields(into span: inout OutputRawSpan) {}
}
