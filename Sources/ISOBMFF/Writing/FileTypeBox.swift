import MediaCore

/// File type (ftyp), first in an initialization section (ISO/IEC 14496-12 § 4.3).
struct FileTypeBox: Box {
    static let type: FourCC = "ftyp"

    var majorBrand: FourCC
    var compatibleBrands: [FourCC]

    var contentByteCount: Int { 8 + 4 * compatibleBrands.count }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeBrands(major: majorBrand, compatible: compatibleBrands)
    }
}

/// Segment type (styp), first in a segment (ISO/IEC 14496-12 § 8.16.2).
struct SegmentTypeBox: Box {
    static let type: FourCC = "styp"

    var majorBrand: FourCC
    var compatibleBrands: [FourCC]

    /// A CMAF segment (ISO/IEC 23000-19 § 7.3.3) that is a DASH media segment, but for want of `sidx` not `msix`.
    static let cmafSegment = SegmentTypeBox(majorBrand: "msdh", compatibleBrands: ["msdh", "cmfs"])

    var contentByteCount: Int { 8 + 4 * compatibleBrands.count }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeBrands(major: majorBrand, compatible: compatibleBrands)
    }
}

extension OutputRawSpan {
    fileprivate mutating func writeBrands(major: FourCC, compatible: [FourCC]) {
        writeInteger(major.code)
        writeInteger(UInt32(0))  // minor_version
        for brand in compatible { writeInteger(brand.code) }
    }
}
