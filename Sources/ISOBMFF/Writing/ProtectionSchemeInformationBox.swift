import MediaCore

/// Protection scheme information (sinf), last in a sample entry (ISO/IEC 14496-12 § 8.12.1).
struct ProtectionSchemeInformationBox: Box {
    static let type: FourCC = "sinf"

    var originalFormat: OriginalFormatBox
    var scheme = SchemeTypeBox()
    var information: SchemeInformationBox

    init(originalFormat: FourCC, encryption: TrackEncryption) {
        self.originalFormat = OriginalFormatBox(format: originalFormat)
        information = SchemeInformationBox(trackEncryption: TrackEncryptionBox(encryption: encryption))
    }

    var contentByteCount: Int { originalFormat.byteCount + scheme.byteCount + information.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        originalFormat.encode(into: &span)
        scheme.encode(into: &span)
        information.encode(into: &span)
    }
}

/// Original format (frma), in `ProtectionSchemeInformationBox` (ISO/IEC 14496-12 § 8.12.2).
struct OriginalFormatBox: Box {
    static let type: FourCC = "frma"

    var format: FourCC

    var contentByteCount: Int { 4 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(format.code)
    }
}

/// Scheme type (schm), in `ProtectionSchemeInformationBox`: cbcs 1.0 (ISO/IEC 14496-12 § 8.12.5, 23001-7 § 4.1).
struct SchemeTypeBox: FullBox {
    static let type: FourCC = "schm"

    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        let scheme: FourCC = "cbcs"
        span.writeInteger(scheme.code)
        span.writeInteger(UInt32(0x0001_0000))
    }
}

/// Scheme information (schi), in `ProtectionSchemeInformationBox` (ISO/IEC 14496-12 § 8.12.6).
struct SchemeInformationBox: Box {
    static let type: FourCC = "schi"

    var trackEncryption: TrackEncryptionBox

    var contentByteCount: Int { trackEncryption.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        trackEncryption.encode(into: &span)
    }
}

/// Track encryption (tenc), in `SchemeInformationBox` (ISO/IEC 23001-7 § 8.2).
struct TrackEncryptionBox: FullBox {
    static let type: FourCC = "tenc"

    var encryption: TrackEncryption

    // Version 1 has the pattern. Audio's 0:0 could do with version 0, but Safari fails on that.
    var version: UInt8 { 1 }
    var fieldsByteCount: Int { 37 }

    func encodeFields(into span: inout OutputRawSpan) {
        let pattern = encryption.pattern
        span.writeZeros(1)
        span.writeInteger(pattern.cryptBlocks << 4 | pattern.skipBlocks & 0x0F)
        span.writeInteger(UInt8(1))  // default_isProtected
        span.writeInteger(UInt8(0))  // default_Per_Sample_IV_Size: the IV is constant
        span.write(encryption.keyID.bytes)
        span.writeInteger(UInt8(16))  // default_constant_IV_size
        span.write(encryption.constantIV)
    }
}
