package import NIOCore

/// An access unit in the form that its elementary stream has (``ElementaryStream/Kind``), encrypted where that is.
package struct TransportAccessUnit: Sendable {
    /// When to decode it, in ticks of 90 kHz that do not wrap.
    package var decodeTime: Int64
    /// When to present it, in ticks of 90 kHz that do not wrap.
    package var presentationTime: Int64
    /// Ticks until the next one is decoded if nothing is lost between; 0 where that cannot be said.
    package var duration: Int64
    /// Whether decoding may start here.
    package var isRandomAccess: Bool
    package var payload: ByteBuffer

    package init(
        decodeTime: Int64,
        presentationTime: Int64,
        duration: Int64,
        isRandomAccess: Bool,
        payload: ByteBuffer
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.duration = duration
        self.isRandomAccess = isRandomAccess
        self.payload = payload
    }
}
