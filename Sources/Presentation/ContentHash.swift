package import NIOCore

/// A fast 64-bit hash of bytes, the same in every process: enough to tell versions of one path apart.
///
/// It takes eight bytes a step, in the manner of FNV-1a; it withstands chance, not malice. Of long bodies it reads 64
/// bytes in every 4096, and the first and last 4096: compressed or encrypted media that differs anywhere differs almost
/// everywhere, and hashing all of it would cost as much as encrypting it.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    private static let page = 4096
    private static let line = 64

    package init(of buffer: ByteBuffer) {
        let count = buffer.readableBytes
        if count <= 16 * Self.page {
            mix(buffer)
        } else {
            mix(buffer.prefix(Self.page))
            for start in stride(from: Self.page, to: count - Self.page, by: Self.page) {
                mix(buffer.part(at: start, length: Self.line))
            }
            mix(buffer.part(at: count - Self.page, length: Self.page))
        }
        mix(UInt64(count))
    }

    private mutating func mix(_ buffer: ByteBuffer) {
        var rest = buffer
        while let word = rest.readInteger(endianness: .little, as: UInt64.self) { mix(word) }
        while let byte = rest.readInteger(as: UInt8.self) { mix(UInt64(byte)) }
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        // A product's low bits never hear of the factor's high ones; folding lets them.
        value ^= value >> 32
    }

    /// Sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension ByteBuffer {
    fileprivate func prefix(_ length: Int) -> ByteBuffer { part(at: 0, length: length) }

    /// Readable bytes from an offset on; they are there.
    fileprivate func part(at offset: Int, length: Int) -> ByteBuffer {
        getSlice(at: readerIndex + offset, length: length) ?? ByteBuffer()
    }
}
