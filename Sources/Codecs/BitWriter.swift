/// Writes bits, most significant first.
package struct BitWriter {
    /// The bytes that were written; unused bits of the last byte are zero.
    package private(set) var bytes: [UInt8] = []
    private(set) var bitCount = 0

    package init() {}

    /// Writes the low `count` bits of `value`, 0 to 32.
    package mutating func write(_ value: some BinaryInteger, bits count: Int) {
        let value = UInt32(truncatingIfNeeded: value)
        for shift in stride(from: count - 1, through: 0, by: -1) {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bitCount / 8] |= UInt8(value >> UInt32(shift) & 1) << UInt8(7 - bitCount % 8)
            bitCount += 1
        }
    }

    package mutating func write(_ flag: Bool) {
        write(flag ? 1 : 0, bits: 1)
    }

    mutating func alignToByte() {
        bitCount = bytes.count * 8
    }
}
