import MediaCore

/// Protection scheme information (sinf), last in a sample entry (ISO/IEC 14496-12 § 8.12.1).
struct ProtectionSchemeInformationBox: Box {
    static let type: FourCC = "sinf"

    var originalFormat: OriginalFormatBox
    var scheme: SchemeTypeBox
    var information: SchemeInformationBox

    init(originalFormat: FourCC, encryption: TrackEncryption) {
        self.originalFormat = OriginalFormatBox(format: originalFormat)
        scheme = SchemeTypeBox(scheme: encryption.scheme)
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

/// Scheme type (schm), in `ProtectionSchemeInformationBox` (ISO/IEC 14496-12 § 8.12.5, 23001-7 § 4.1).
struct SchemeTypeBox: FullBox {
    static let type: FourCC = "schm"

    var scheme: TrackEncryption.Scheme

    private var schemeType: FourCC {
        switch scheme {
        case .cbcs: "cbcs"
        case .cenc: "cenc"
        }
    }

    var fieldsByteCount: Int { 8 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(schemeType.code)
        span.writeInteger(UInt32(0x0001_0000))  // 1.0
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
    var version: UInt8 { if case .cbcs = encryption.scheme { 1 } else { 0 } }
    var fieldsByteCount: Int { if case .cbcs = encryption.scheme { 37 } else { 20 } }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(1)
        switch encryption.scheme {
        case .cbcs(let constantIV, let pattern):
            span.writeInteger(pattern.cryptBlocks << 4 | pattern.skipBlocks & 0x0F)
            span.writeInteger(UInt8(1))  // default_isProtected
            span.writeInteger(UInt8(0))  // default_Per_Sample_IV_Size: the IV is constant
            span.write(encryption.keyID.bytes)
            span.writeInteger(UInt8(16))  // default_constant_IV_size
            span.write(constantIV)
        case .cenc:
            span.writeZeros(1)
            span.writeInteger(UInt8(1))  // default_isProtected
            span.writeInteger(UInt8(SampleEncryptionBox.vectorByteCount))  // default_Per_Sample_IV_Size
            span.write(encryption.keyID.bytes)
        }
    }
}
