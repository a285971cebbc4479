package import NIOCore

/// The frames of one AAC packet.
package struct AACFrames: Sendable {
    /// Bare frames, each one sample.
    package var frames: [ByteBuffer] = []
    /// Whether `AACFrameReader.configuration` is another one from these frames on; true at the first ones.
    package var configurationChanged = false
    /// Bytes of the packet that are not of a whole frame of this configuration.
    package var unreadableBytes = 0
}
