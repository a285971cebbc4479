package import MediaCore

/// What the header of an audio frame says of its length, in time and in bytes.
package struct AudioFrameExtent: Hashable, Sendable {
    /// Hz; of AAC, of the core decoder.
    package var sampleRate: Int64
    /// PCM samples; 0 where the frame only adds channels to the one before it.
    package var samples: Int64
    /// Bytes of all that is the frame's, never 0.
    package var byteCount: Int
    /// How many of them belong to the transport and not to the frame.
    package var prefixByteCount = 0
    /// What the frame is of.
    package var codec: InputTrack.Codec
}
