import NIOCore

/// A frame of audio as a track carries it: one sample.
struct AudioFrame: Hashable, Sendable {
    var payload: ByteBuffer
    /// PCM samples that it lasts, at the sample rate of its track.
    var samples: Int

    init(payload: ByteBuffer, samples: Int) {
        self.payload = payload
        self.samples = samples
    }

    init(copying bytes: RawSpan, samples: Int) {
        payload = ByteBufferAllocator().buffer(capacity: bytes.byteCount)
        payload.writeBytes(bytes)
        self.samples = samples
    }
}
