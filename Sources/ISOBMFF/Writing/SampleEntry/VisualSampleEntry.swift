import MediaCore

/// Visual sample entry, in `SampleDescriptionBox`: how pictures are coded (ISO/IEC 14496-12 § 12.1.3).
struct VisualSampleEntry: Box {
    /// The type of encrypted samples, for all codings.
    static let type: FourCC = "encv"

    let type: FourCC
    /// Pixels.
    let width: UInt16
    let height: UInt16
    let extensions: [any Box]

    /// Describes a track.
    ///
    /// - Parameters:
    ///   - format: The type of the entry for clear samples.
    ///   - configuration: The box of the codec.
    ///   - picture: For size, shape and colours.
    ///   - encryption: The encryption of the samples; nil if they are clear.
    init(_ format: FourCC, _ configuration: some Box, _ picture: PictureFormat, encryption: TrackEncryption?) {
        type = encryption == nil ? format : Self.type
        width = UInt16(clamping: picture.width)
        height = UInt16(clamping: picture.height)
        let range = picture.dynamicRange
        let extensions: [(any Box)?] = [
            configuration,
            picture.colour.map { ColourInformationBox(colour: $0) },
            PixelAspectRatioBox(ratio: picture.sampleAspectRatio),
            range.masteringDisplay.flatMap { MasteringDisplayColourVolumeBox($0) },
            range.contentLight.flatMap { ContentLightLevelBox($0) },
            range.dolbyVision.map { DolbyVisionConfigurationBox(configuration: $0) },
            encryption.map { ProtectionSchemeInformationBox(originalFormat: format, encryption: $0) },
        ]
        self.extensions = extensions.compactMap { $0 }
    }

    var contentByteCount: Int { 78 + extensions.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        span.writeZeros(16)
        span.writeInteger(width)
        span.writeInteger(height)
        span.writeInteger(UInt32(0x0048_0000))  // horizresolution, 72 dpi
        span.writeInteger(UInt32(0x0048_0000))  // vertresolution
        span.writeZeros(4)
        span.writeInteger(UInt16(1))  // frame_count
        span.writeZeros(32)  // compressorname
        span.writeInteger(UInt16(0x0018))  // depth: colour, no alpha
        span.writeInteger(Int16(-1))  // pre_defined
        extensions.encode(into: &span)
    }
}
