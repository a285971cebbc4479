/// FLAC: the STREAMINFO block (RFC 9639 § 8.2) and its values.
package struct FLACConfiguration: Hashable, Sendable {
    /// 34 bytes, without the metadata block's header.
    package var streamInfo: [UInt8]
    /// Hz.
    package var sampleRate: Int
    package var channels: Int
    package var bitsPerSample: Int
    /// PCM samples of the longest frame; each frame says its own.
    package var samplesPerFrame: Int

    package init(streamInfo: [UInt8], sampleRate: Int, channels: Int, bitsPerSample: Int, samplesPerFrame: Int) {
        self.streamInfo = streamInfo
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitsPerSample = bitsPerSample
        self.samplesPerFrame = samplesPerFrame
    }
}
