/// The checksum of ISO/IEC 13239 § 4.12.2, as gzip and Ethernet use it.
package struct CRC32: Hashable, Sendable {
    private var remainder: UInt32 = 0xFFFF_FFFF

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    package init() {}

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        // Other modules have no code of their own for their kind of sequence: a loop over it here would take a call a byte.
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            remainder = Self.remainder(of: $0, after: remainder)
        }
        if isDone == nil { remainder = Self.remainder(of: bytes, after: remainder) }
    }

    private static func remainder(of bytes: some Sequence<UInt8>, after remainder: UInt32) -> UInt32 {
        let table = table
        return bytes.reduce(remainder) { remainder, byte in
            table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] ^ remainder >> 8
        }
    }

    package var value: UInt32 { ~remainder }

    /// Eight hexadecimal digits.
    package var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
