package import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compressed text that can be joined with other parts to one member of a gzip file (RFC 1952).
///
/// Its blocks (RFC 1951) end at a byte boundary, none is marked as the last, and none refers to bytes before the text.
package struct GzipPart: Sendable {
    /// The blocks.
    package private(set) var blocks: ByteBuffer
    /// The CRC-32 of the text.
    package private(set) var checksum: UInt32
    /// The length of the text, in bytes.
    package private(set) var count: Int

    private static let headerCount = 10
    /// Checksum and length, four bytes each.
    private static let trailerCount = 8

    /// Compresses a text; nil if the compressor failed.
    ///
    /// NIO offers zlib only in channel handlers, so the bytes pass through one like the body of a request.
    package init?(_ text: ByteBuffer) {
        let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
        defer { _ = try? channel.finish() }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        // A flush before the end completes the blocks of all text; the end of the member comes by itself.
        for parts in [[.head(head), .body(.byteBuffer(text))], [.end(nil)]] as [[HTTPClientRequestPart]] {
            for part in parts { channel.pipeline.syncOperations.write(NIOAny(part), promise: nil) }
            channel.pipeline.syncOperations.flush()
        }
        var bodies: [ByteBuffer] = []
        while let part = try? channel.readOutbound(as: HTTPClientRequestPart.self) {
            if case .body(.byteBuffer(let body)) = part { bodies.append(body) }
        }
        guard bodies.count == 2, let end = bodies.last, end.readableBytes >= Self.trailerCount,
            let blocks = bodies.first?.dropping(Self.headerCount),
            let checksum = end.getInteger(
                at: end.writerIndex - Self.trailerCount,
                endianness: .little,
                as: UInt32.self
            )
        else { return nil }
        self.blocks = blocks
        self.checksum = checksum
        count = text.readableBytes
    }

    /// A part that was made before.
    package init(blocks: ByteBuffer, checksum: UInt32, count: Int) {
        (self.blocks, self.checksum, self.count) = (blocks, checksum, count)
    }

    /// Appends the part that follows this one.
    package mutating func append(_ next: GzipPart) {
        blocks.writeImmutableBuffer(next.blocks)
        checksum = Self.product(checksum, Self.shift(by: next.count)) ^ next.checksum
        count += next.count
    }

    /// The part as a whole member, without name and time.
    package var member: ByteBuffer {
        var member = ByteBuffer()
        member.reserveCapacity(Self.headerCount + blocks.readableBytes + 2 + Self.trailerCount)
        // Deflate, no flags, no time, no level, Unix.
        member.writeBytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        member.writeImmutableBuffer(blocks)
        // The last block, which is empty.
        member.writeBytes([3, 0])
        member.writeInteger(checksum, endianness: .little)
        member.writeInteger(UInt32(truncatingIfNeeded: count), endianness: .little)
        return member
    }
}

/// Arithmetic of checksums as polynomials modulo that of CRC-32; the highest bit is the constant.
extension GzipPart {
    private static let one: UInt32 = 1 << 31

    /// The factor by which a number of further bytes shifts a checksum.
    private static func shift(by count: Int) -> UInt32 {
        var (result, power, rest) = (one, one >> 8, count)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, power) }
            power = product(power, power)
            rest >>= 1
        }
        return result
    }

    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (product, multiple, bits) = (UInt32(0), right, left)
        while bits != 0 {
            if bits & one != 0 { product ^= multiple }
            multiple = multiple & 1 == 0 ? multiple >> 1 : multiple >> 1 ^ 0xEDB8_8320
            bits <<= 1
        }
        return product
    }
}

extension ByteBuffer {
    fileprivate func dropping(_ count: Int) -> ByteBuffer? {
        getSlice(at: readerIndex + count, length: readableBytes - count)
    }
}
