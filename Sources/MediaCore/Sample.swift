package import NIOCore

/// One access unit as a file format stores it: for H.264, NAL units behind four-byte lengths; for AAC, a bare frame.
package struct Sample: Sendable {
    /// When to decode it, on the channel's timeline.
    package var decodeTime: MediaTime
    /// When to present it, on the channel's timeline.
    package var presentationTime: MediaTime
    /// Whether decoding may start here (H.264: an IDR picture; audio: always).
    package var isSync: Bool
    package var payload: ByteBuffer
    /// What of `payload` may be encrypted, in order and covering it wholly; empty means all of it.
    package var subsamples: [Subsample]

    package init(
        decodeTime: MediaTime,
        presentationTime: MediaTime,
        isSync: Bool,
        payload: ByteBuffer,
        subsamples: [Subsample] = []
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.isSync = isSync
        self.payload = payload
        self.subsamples = subsamples
    }
}
