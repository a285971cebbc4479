import Files
import FoundationEssentials
import MediaCore
package import NIOCore

/// Writes the lines of a journal's file, each a checksum followed by a JSON value.
package struct JournalText: Sendable {
    private var text = CheckedText()

    package init() {}

    /// - Throws: The error of `JSONEncoder`.
    package mutating func line(_ value: some Encodable) throws -> ByteBuffer {
        text.line(try JSONEncoder.canonical.encode(value))
    }
}
