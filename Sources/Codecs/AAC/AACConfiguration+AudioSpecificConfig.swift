package import MediaCore

extension AACConfiguration {
    /// Reads an AudioSpecificConfig.
    ///
    /// - Throws: ``CodecError`` if it is cut short, has a reserved value, or is of a codec other than AAC with 1024
    ///   samples a frame.
    package init(audioSpecificConfig bytes: [UInt8]) throws(CodecError) {
        self.init(try AudioSpecificConfig(bytes), bytes: bytes)
    }

    init(_ config: AudioSpecificConfig, bytes: [UInt8]) {
        let channels = config.elements.reduce(0) { $0 + $1.channels }
        let hasParametricStereo = config.replication?.hasParametricStereo == true
        self.init(
            audioSpecificConfig: bytes,
            objectType: config.replication == nil ? config.coreObjectType : hasParametricStereo ? 29 : 5,
            coreSampleRate: config.coreSampleRate,
            outputSampleRate: config.replication?.sampleRate ?? config.coreSampleRate,
            // ISO/IEC 14496-3 § 1.6.6: parametric stereo makes two channels of one.
            channels: hasParametricStereo && channels == 1 ? 2 : channels
        )
    }

    /// The same stream with spectral band replication signalled explicitly, as players need it (Apple's authoring
    /// specification § 2.24).
    ///
    /// - Parameters:
    ///   - sbr: True if frames carry spectral band replication, which doubles the sample rate.
    ///   - ps: True if they carry parametric stereo too.
    /// - Returns: The configuration, with an AudioSpecificConfig to go with it.
    /// - Throws: ``CodecError`` if the AudioSpecificConfig cannot be read.
    func signalling(sbr: Bool, ps: Bool) throws(CodecError) -> AACConfiguration {
        var config = try AudioSpecificConfig(audioSpecificConfig)
        config.replication = sbr ? .init(sampleRate: coreSampleRate * 2, hasParametricStereo: ps) : nil
        return AACConfiguration(config, bytes: config.bytes)
    }
}
