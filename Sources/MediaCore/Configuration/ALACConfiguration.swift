/// Apple Lossless: the ALACSpecificConfig and its values.
package struct ALACConfiguration: Hashable, Sendable {
    /// 24 bytes, and a channel layout where there is one: the contents of the inner `alac` box behind version and
    /// flags.
    package var specificConfig: [UInt8]
    /// Hz.
    package var sampleRate: Int
    package var channels: Int
    package var bitsPerSample: Int
    /// PCM samples of every frame but the last.
    package var samplesPerFrame: Int

    package init(specificConfig: [UInt8], sampleRate: Int, channels: Int, bitsPerSample: Int, samplesPerFrame: Int) {
        self.specificConfig = specificConfig
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitsPerSample = bitsPerSample
        self.samplesPerFrame = samplesPerFrame
    }
}
