/// Datagrams of a feed that came one after the other: their bytes, and the arrival of each.
struct DatagramBatch {
    struct Datagram: Hashable {
        var byteCount: Int
        /// Nanoseconds of the monotonic clock.
        var arrival: Int64
    }

    private(set) var bytes: [UInt8] = []
    private(set) var datagrams: [Datagram] = []

    /// The bytes of memory that are kept: 40 ms at 50 Mbit/s.
    private static let usualByteCount = 256 << 10

    mutating func append(_ payload: RawSpan, at arrival: Int64) {
        unsafe payload.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        datagrams.append(Datagram(byteCount: payload.byteCount, arrival: arrival))
    }

    /// Empties it, and gives up the memory of a burst.
    mutating func clear() {
        let isLarge = bytes.capacity > Self.usualByteCount
        bytes.removeAll(keepingCapacity: !isLarge)
        datagrams.removeAll(keepingCapacity: !isLarge)
    }
}

/// Reads batches byte by byte, as a demuxer wants them.
struct DatagramCursor {
    private var batch = DatagramBatch()
    /// Bytes of the batch that were read.
    private var offset = 0
    /// The datagram that is read from next, and its bytes that were read.
    private var index = 0
    private var readOfDatagram = 0

    var isAtEnd: Bool { offset == batch.bytes.count }

    /// Continues with another batch, and returns the one that was read, emptied.
    mutating func exchange(with next: inout DatagramBatch) {
        batch.clear()
        swap(&batch, &next)
        (offset, index, readOfDatagram) = (0, 0, 0)
    }

    /// Reads as many bytes as there are and fit.
    ///
    /// - Parameters:
    ///   - buffer: Filled from its beginning on.
    ///   - pieces: Gets the pieces of datagrams that were read, in order.
    /// - Returns: The number of bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer, _ pieces: inout [DatagramBatch.Datagram]) -> Int {
        let count = min(buffer.count, batch.bytes.count - offset)
        unsafe buffer.copyBytes(from: batch.bytes[offset..<offset + count])
        offset += count
        var left = count
        while left > 0 {
            var piece = batch.datagrams[index]
            piece.byteCount = min(piece.byteCount - readOfDatagram, left)
            left -= piece.byteCount
            readOfDatagram += piece.byteCount
            pieces.append(piece)
            if readOfDatagram == batch.datagrams[index].byteCount { (index, readOfDatagram) = (index + 1, 0) }
        }
        return count
    }
}
