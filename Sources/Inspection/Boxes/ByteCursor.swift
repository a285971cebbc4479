import MediaCore
import NIOCore

/// Reads fields one after another, and never beyond its end.
struct ByteCursor {
    /// All bytes of the file, its reader index 0.
    let bytes: ByteBuffer
    /// Bytes from the start of the file to the next field.
    private(set) var position: Int
    let end: Int

    /// Reads from a range that is within the file.
    init(_ bytes: ByteBuffer, in range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
    }

    var remaining: Int { end - position }

    mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(MalformedBoxError) -> T {
        guard remaining >= MemoryLayout<T>.size, let value = bytes.getInteger(at: position, as: type) else {
            throw MalformedBoxError(.truncated, at: position)
        }
        position += MemoryLayout<T>.size
        return value
    }

    mutating func readFourCC() throws(MalformedBoxError) -> FourCC {
        FourCC(try read(UInt32.self))
    }

    mutating func readBytes16() throws(MalformedBoxError) -> Bytes16 {
        Bytes16(high: try read(), low: try read())
    }

    mutating func readBytes(_ count: Int) throws(MalformedBoxError) -> [UInt8] {
        guard count >= 0, remaining >= count, let value = bytes.getBytes(at: position, length: count) else {
            throw MalformedBoxError(.truncated, at: position)
        }
        position += count
        return value
    }

    /// Reads the rest of the bytes.
    mutating func readRest() throws(MalformedBoxError) -> [UInt8] {
        try readBytes(remaining)
    }

    mutating func skip(_ count: Int) throws(MalformedBoxError) {
        guard count >= 0, remaining >= count else { throw MalformedBoxError(.truncated, at: position) }
        position += count
    }

    /// Reads a count of entries.
    ///
    /// - Parameter size: The fewest bytes of an entry; at least 1.
    /// - Returns: The count.
    /// - Throws: `MalformedBoxError` if the rest cannot hold them, before memory is allocated for them.
    mutating func readCount(entriesOf size: Int) throws(MalformedBoxError) -> Int {
        let start = position
        let count = Int(try read(UInt32.self))
        guard count <= remaining / size else { throw MalformedBoxError(.tooManyEntries, at: start) }
        return count
    }

    /// Reads version and flags of a full box.
    mutating func readVersionAndFlags() throws(MalformedBoxError) -> (version: UInt8, flags: UInt32) {
        let word = try read(UInt32.self)
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }
}
