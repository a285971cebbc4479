/// MPEG-1 and MPEG-2 audio: the values in the header of every frame (ISO/IEC 11172-3 § 2.4.2.3).
package struct MPEGAudioConfiguration: Hashable, Sendable {
    /// 2 or 3; 1 is not carried.
    package var layer: UInt8
    /// Hz; below 32,000 it is MPEG-2's, or MPEG-2.5's.
    package var sampleRate: Int
    /// 1 or 2.
    package var channels: Int

    package init(layer: UInt8, sampleRate: Int, channels: Int) {
        self.layer = layer
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// PCM samples of one frame.
    package var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && sampleRate < 32_000 ? 576 : 1152 }
}
