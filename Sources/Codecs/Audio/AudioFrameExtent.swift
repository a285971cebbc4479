package import MediaCore

/// The length of an audio frame, in time and in bytes, by its header.
package struct AudioFrameExtent: Hashable, Sendable {
    /// Hz; of AAC, of the core decoder.
    package var sampleRate: Int64
    /// PCM samples; 0 if the frame only adds channels to the one before it.
    package var samples: Int64
    /// Bytes of all that is the frame's, never 0.
    package var byteCount: Int
    /// The number of bytes that belong to the transport and not to the frame.
    package var prefixByteCount = 0
    /// The codec of the frame.
    package var codec: InputTrack.Codec
}
