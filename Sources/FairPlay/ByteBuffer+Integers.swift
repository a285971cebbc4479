import MediaCore
import NIOCore

extension ByteBuffer {
    mutating func readBytes16() -> Bytes16? {
        readMultipleIntegers(as: (UInt64, UInt64).self).map { Bytes16(high: $0, low: $1) }
    }

    mutating func write(_ bytes: Bytes16) {
        writeMultipleIntegers(bytes.high, bytes.low)
    }

    /// Returns the content as big-endian integers, without an incomplete last one.
    func integers<T: FixedWidthInteger>() -> [T] {
        var rest = self
        var integers: [T] = []
        while let integer: T = rest.readInteger() { integers.append(integer) }
        return integers
    }

    /// Returns integers as big-endian bytes.
    static func integers<each T: FixedWidthInteger>(_ values: repeat each T) -> ByteBuffer {
        var buffer = ByteBuffer()
        for value in repeat each values { buffer.writeInteger(value) }
        return buffer
    }
}
