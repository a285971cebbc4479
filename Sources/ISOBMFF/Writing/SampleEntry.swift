import MediaCore

/// What `stsd` holds: how the samples are coded, and how encrypted.
enum SampleEntry {
    case visual(AVCSampleEntry)
    case audio(AACSampleEntry)

    init(_ configuration: CodecConfiguration, encryption: TrackEncryption?) {
        switch configuration {
        case .avc(let avc): self = .visual(AVCSampleEntry(avc, encryption: encryption))
        case .aac(let aac): self = .audio(AACSampleEntry(aac, encryption: encryption))
        }
    }

    var byteCount: Int {
        switch self {
        case .visual(let entry): entry.byteCount
        case .audio(let entry): entry.byteCount
        }
    }

    func encode(into span: inout OutputRawSpan) {
        switch self {
        case .visual(let entry): entry.encode(into: &span)
        case .audio(let entry): entry.encode(into: &span)
        }
    }
}

/// A sample entry's header names the coding, or `encv` and `enca` over it where the samples are encrypted, so its type
/// is a value and it writes its own header.
protocol ProtectableSampleEntry {
    static var clearType: FourCC { get }
    static var protectedType: FourCC { get }

    var protection: ProtectionSchemeInformationBox? { get }
    var contentByteCount: Int { get }
    func encodeContent(into span: inout OutputRawSpan)
}

extension ProtectableSampleEntry {
    /// Bytes of the whole box.
    var byteCount: Int { 8 + contentByteCount + (protection?.byteCount ?? 0) }

    /// Writes the whole box, `sinf` last (ISO/IEC 23001-7 § 4.1).
    func encode(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(byteCount))
        span.writeInteger((protection == nil ? Self.clearType : Self.protectedType).code)
        encodeContent(into: &span)
        protection?.encode(into: &span)
    }
}
