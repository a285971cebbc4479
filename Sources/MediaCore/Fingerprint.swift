package import NIOCore

/// A 64-bit hash that tells access units apart and finds the same one in another stream; it withstands chance, not malice.
///
/// The same bytes give the same value in every process. Of a long access unit it reads both ends and one word in eight
/// between them: entropy-coded bytes that differ somewhere differ from there to the end of their slice, and mostly in
/// length, too.
package struct Fingerprint: Hashable, Sendable {
    package var value: UInt64

    private static let word = 8
    /// Bytes at either end that are read whole: headers are there, and what a short difference at the end leaves.
    private static let margin = 256
    private static let stride = 64

    package init(value: UInt64) {
        self.value = value
    }

    /// - Parameter bytes: One access unit or audio frame, without headers of the transport.
    package init(of bytes: RawSpan) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let count = bytes.byteCount
        var offset = 0
        while offset + Self.word <= count {
            // Every offset here leaves a whole word before the end.
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = Self.mix(hash, UInt64(littleEndian: word))
            let isWithin = offset >= Self.margin && offset + Self.stride + Self.margin <= count
            offset += isWithin ? Self.stride : Self.word
        }
        while offset < count {
            hash = Self.mix(hash, UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)))
            offset += 1
        }
        value = Self.mix(hash, UInt64(count))
    }

    package init(of buffer: ByteBuffer) {
        self.init(of: buffer.readableBytesSpan)
    }

    /// A step in the manner of FNV-1a; a product's low bits never hear of the factor's high ones, folding lets them.
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 32)
    }
}
