package import NIOCore

/// Makes the lines of a file that is appended to: a checksum, a space, the content.
///
/// The checksum is that of all content since the file's beginning. A file may be overwritten: old lines
/// behind the last new one cannot be taken for the next.
package struct CheckedText: Hashable, Sendable {
    private var checksum = CRC32()

    package init() {}

    /// Returns the next line.
    ///
    /// - Parameter content: Bytes without a line feed.
    /// - Returns: The checksum of all content up to this one's, a space, the content and a line feed.
    package mutating func line(_ content: some Collection<UInt8>) -> ByteBuffer {
        checksum.update(content)
        var line = ByteBuffer()
        line.reserveCapacity(content.count + CheckedLines.prefixCount + 1)
        line.writeString(checksum.hex + " ")
        line.writeBytes(content)
        line.writeString("\n")
        return line
    }

    /// Takes an existing line, and returns true if its checksum fits.
    fileprivate mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        let content = line.dropFirst(CheckedLines.prefixCount)
        checksum.update(content)
        return line.prefix(CheckedLines.prefixCount).elementsEqual((checksum.hex + " ").utf8)
    }
}

/// Reads the lines that a ``CheckedText`` has made, up to where the file was torn or ends.
package struct CheckedLines: Sendable {
    private var rest: ByteBuffer
    /// Makes the line that follows those that were read.
    package private(set) var text = CheckedText()
    /// The bytes of the lines that were read.
    package private(set) var byteCount = 0

    fileprivate static let prefixCount = 9

    package init(_ file: ByteBuffer) {
        rest = file
    }

    /// The content of the next line; nil if there is none, or if it does not fit the lines before.
    package mutating func next() -> [UInt8]? {
        let view = rest.readableBytesView
        // Reserved room that was never written is zeros.
        guard let first = view.first, first != 0, let end = view.firstIndex(of: UInt8(ascii: "\n")),
            let line = rest.readBytes(length: end - view.startIndex), line.count > Self.prefixCount
        else { return nil }
        rest.moveReaderIndex(forwardBy: 1)
        var text = text
        guard text.take(line[...]) else { return nil }
        self.text = text
        byteCount += line.count + 1
        return Array(line[Self.prefixCount...])
    }
}
