import MediaCore

extension AV1Configuration {
    /// Makes the configuration of a sequence header, and of the metadata beside it.
    ///
    /// - Parameters:
    ///   - sequence: The sequence header that was read.
    ///   - bytes: The sequence header OBU, with its size field.
    ///   - dynamicRange: The metadata of metadata OBUs.
    init(_ sequence: AV1SequenceHeader, bytes: [UInt8], dynamicRange: DynamicRangeMetadata) {
        self.init(
            sequenceHeader: bytes,
            profile: sequence.profile,
            level: sequence.operatingPoints.first?.level ?? 0,
            isHighTier: sequence.operatingPoints.first?.isHighTier ?? false,
            chromaSamplePosition: sequence.colour.chromaSamplePosition,
            picture: PictureFormat(
                width: sequence.maxFrameWidth,
                height: sequence.maxFrameHeight,
                chromaFormat: sequence.colour.chromaFormat,
                lumaBitDepth: sequence.colour.bitDepth,
                chromaBitDepth: sequence.colour.bitDepth,
                frameRate: sequence.frameRate,
                colour: sequence.colour.description,
                dynamicRange: dynamicRange
            )
        )
    }
}
