/// Big-endian appends: what boxes, tables and packets are written with, into one reservation.
extension OutputRawSpan {
    @inlinable @inline(__always)
    package mutating func writeInteger<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        append(value.bigEndian, as: T.self)
    }

    /// The low 24 bits.
    @inlinable @inline(__always)
    package mutating func writeUInt24(_ value: UInt32) {
        writeInteger(UInt8(truncatingIfNeeded: value >> 16))
        writeInteger(UInt16(truncatingIfNeeded: value))
    }

    @inlinable
    package mutating func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { writeInteger(byte) }
    }

    package mutating func write(_ bytes: Bytes16) {
        writeInteger(bytes.high)
        writeInteger(bytes.low)
    }
}
