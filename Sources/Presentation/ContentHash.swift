package import NIOCore

/// A fast 64-bit hash of bytes, the same in every process: enough to tell versions of one path apart.
///
/// Four lanes take eight bytes each a step, in the manner of FNV-1a, so that a multiplication need not wait for the one
/// before. It withstands chance, not malice.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    package let value: UInt64

    package init(of buffer: ByteBuffer) {
        var (first, second, third, fourth) = (Lane(value: 1), Lane(value: 2), Lane(value: 3), Lane(value: 4))
        var rest = buffer
        while let words = rest.readMultipleIntegers(
            endianness: .little,
            as: (UInt64, UInt64, UInt64, UInt64).self
        ) {
            first.mix(words.0)
            second.mix(words.1)
            third.mix(words.2)
            fourth.mix(words.3)
        }
        while let byte = rest.readInteger(as: UInt8.self) { first.mix(UInt64(byte)) }
        for word in [second.value, third.value, fourth.value, UInt64(buffer.readableBytes)] { first.mix(word) }
        value = first.value
    }

    private struct Lane {
        var value: UInt64

        mutating func mix(_ word: UInt64) {
            value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
            // A product's low bits never hear of the factor's high ones; folding lets them.
            value ^= value >> 32
        }
    }

    /// Sixteen hexadecimal digits.
    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
