/// AAC: the AudioSpecificConfig and its values (ISO/IEC 14496-3 § 1.6).
package struct AACConfiguration: Hashable, Sendable {
    /// AudioSpecificConfig, as `esds` carries it.
    package var audioSpecificConfig: [UInt8]
    /// The audio object type that names the codec: 2 LC, 5 HE (SBR), 29 HE v2 (PS).
    package var objectType: UInt8
    /// Hz of the core decoder, 1024 samples of which are one frame's duration.
    ///
    /// SBR's output rate is twice this.
    package var coreSampleRate: Int
    /// Hz that a listener hears.
    package var outputSampleRate: Int
    /// Channels that a listener hears (5.1 is 6).
    package var channels: Int

    /// PCM samples of the core decoder in one frame.
    package static let samplesPerFrame = 1024

    package init(
        audioSpecificConfig: [UInt8],
        objectType: UInt8,
        coreSampleRate: Int,
        outputSampleRate: Int,
        channels: Int
    ) {
        self.audioSpecificConfig = audioSpecificConfig
        self.objectType = objectType
        self.coreSampleRate = coreSampleRate
        self.outputSampleRate = outputSampleRate
        self.channels = channels
    }
}
