package import NIOCore

/// A frame of audio as a track carries it: one sample.
package struct AudioFrame: Hashable, Sendable {
    package var payload: ByteBuffer
    /// PCM samples that it lasts, at the sample rate of its track.
    package var samples: Int

    package init(payload: ByteBuffer, samples: Int) {
        self.payload = payload
        self.samples = samples
    }

    init(copying bytes: RawSpan, samples: Int) {
        payload = ByteBufferAllocator().buffer(capacity: bytes.byteCount)
        payload.writeBytes(bytes)
        self.samples = samples
    }
}
