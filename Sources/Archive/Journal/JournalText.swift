import FoundationEssentials
import MediaCore
package import NIOCore

/// Writes the lines of a journal's file: a checksum, a space, one JSON value.
///
/// The checksum is that of all JSON since the file's beginning. Files are written over again and again: what an earlier
/// generation has left behind the last line cannot be taken for the next one.
package struct JournalText: Sendable {
    private(set) var checksum = CRC32()

    package init() {}

    init(continuing checksum: CRC32) {
        self.checksum = checksum
    }

    /// - Throws: The error of `JSONEncoder`.
    package mutating func line(_ value: some Encodable) throws -> ByteBuffer {
        let json = try JSONEncoder.canonical.encode(value)
        checksum.update(json)
        var line = ByteBuffer()
        line.reserveCapacity(json.count + 10)
        line.writeString(checksum.hex + " ")
        line.writeBytes(json)
        line.writeString("\n")
        return line
    }
}
