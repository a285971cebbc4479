package import NIOCore

/// An access unit in the form of its elementary stream (``ElementaryStream/Kind``), encrypted if the stream is.
package struct TransportAccessUnit: Sendable {
    /// The time to decode it, in ticks of 90 kHz that do not wrap.
    var decodeTime: Int64
    /// The time to present it, in ticks of 90 kHz that do not wrap.
    package var presentationTime: Int64
    /// Ticks until the next one is decoded if nothing is lost between; 0 if that cannot be said.
    var duration: Int64
    /// True if decoding may start here.
    var isRandomAccess: Bool
    /// The bytes, one piece behind another: pieces that are stored apart are not copied to be joined.
    let pieces: [ByteBuffer]
    let byteCount: Int

    package init(
        decodeTime: Int64,
        presentationTime: Int64,
        duration: Int64,
        isRandomAccess: Bool,
        pieces: [ByteBuffer]
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.duration = duration
        self.isRandomAccess = isRandomAccess
        self.pieces = pieces
        byteCount = pieces.reduce(0) { $0 + $1.readableBytes }
    }

    /// The bytes of the access unit in one piece.
    package var payload: ByteBuffer {
        if pieces.count == 1 { return pieces[0] }
        var joined = ByteBuffer()
        joined.reserveCapacity(byteCount)
        for piece in pieces { joined.writeImmutableBuffer(piece) }
        return joined
    }
}
