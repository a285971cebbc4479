import MediaCore

/// Audio sample entry, in `SampleDescriptionBox`: how audio is coded (ISO/IEC 14496-12 § 12.2.3).
struct AudioSampleEntry: Box {
    /// The type of encrypted samples, for all codings.
    static let type: FourCC = "enca"

    let type: FourCC
    let channels: UInt16
    /// Bits.
    let sampleSize: UInt16
    /// Hz; 0 if 16 bits are too few, and decoders read the box of the codec anyway.
    let sampleRate: UInt16
    let extensions: [any Box]

    /// Describes a track.
    ///
    /// - Parameters:
    ///   - format: The type of the entry for clear samples.
    ///   - configuration: The box of the codec.
    ///   - channels: Channels that a listener hears.
    ///   - sampleSize: Bits; 16 for a codec without a sample size.
    ///   - sampleRate: Hz.
    ///   - encryption: The encryption of the samples; nil if they are clear.
    init(
        _ format: FourCC,
        _ configuration: some Box,
        channels: Int,
        sampleSize: Int = 16,
        sampleRate: Int,
        encryption: TrackEncryption?
    ) {
        type = encryption == nil ? format : Self.type
        self.channels = UInt16(clamping: channels)
        self.sampleSize = UInt16(clamping: sampleSize)
        self.sampleRate = UInt16(exactly: sampleRate) ?? 0
        let protection = encryption.map { ProtectionSchemeInformationBox(originalFormat: format, encryption: $0) }
        extensions = [configuration] + (protection.map { [$0] } ?? [])
    }

    var contentByteCount: Int { 28 + extensions.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        span.writeZeros(8)
        span.writeInteger(channels)
        span.writeInteger(sampleSize)
        span.writeZeros(4)
        span.writeInteger(UInt32(sampleRate) << 16)
        extensions.encode(into: &span)
    }
}
