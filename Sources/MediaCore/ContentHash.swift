package import NIOCore

/// A fast 64-bit hash of bytes, the same in every process on every machine; it withstands chance, not malice.
///
/// It distinguishes versions of one path (in entity tags and the journal), and access units of two streams. It takes
/// eight bytes a step, in the manner of FNV-1a. Of long bodies it reads 64 bytes in every 4096, and the first and last
/// 4096. Compressed or encrypted media that differs anywhere differs almost everywhere, and hashing all of it would
/// cost as much as encryption.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    package private(set) var value: UInt64

    private static let basis: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let word = 8
    private static let page = 4096
    private static let line = 64

    package init(value: UInt64) {
        self.value = value
    }

    package init(of bytes: RawSpan) {
        value = Self.basis
        let count = bytes.byteCount
        if count <= 16 * Self.page {
            mix(bytes)
        } else {
            mix(bytes.extracting(first: Self.page))
            for start in stride(from: Self.page, to: count - Self.page, by: Self.page) {
                mix(bytes.extracting(start..<start + Self.line))
            }
            mix(bytes.extracting(last: Self.page))
        }
        mix(UInt64(count))
    }

    package init(of buffer: ByteBuffer) {
        self.init(of: buffer.readableBytesSpan)
    }

    /// The same, but of long bodies, too, every byte is read: of a text that changes in the middle nothing else may.
    package static func whole(of buffer: ByteBuffer) -> ContentHash {
        var hash = ContentHash(value: basis)
        hash.mix(buffer.readableBytesSpan)
        hash.mix(UInt64(buffer.readableBytes))
        return hash
    }

    /// FNV-1a over every byte, for the names of initialization sections, and of configurations in the journal.
    package static func everyByte(of buffer: ByteBuffer) -> ContentHash {
        ContentHash(value: buffer.readableBytesView.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }

    private mutating func mix(_ bytes: RawSpan) {
        var offset = 0
        while offset + Self.word <= bytes.byteCount {
            mix(UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += Self.word
        }
        while offset < bytes.byteCount {
            mix(UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)))
            offset += 1
        }
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        // A product's low bits do not depend on the factor's high ones; folding makes them.
        value ^= value >> 32
    }

    /// Sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
