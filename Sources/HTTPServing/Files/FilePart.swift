import Files

/// Bytes of a file that is open for as long as this exists, even if the file is removed.
///
/// If a request has ``Request/takesFiles``, they can be the body of its answer. They reach the socket without a copy.
package struct FilePart: Sendable {
    let file: OpenFile
    /// The bytes, counted from the beginning of the file.
    let range: Range<Int>
    /// Notes the end.
    let lease: (any AnyObject & Sendable)?

    /// The fewest bytes for which it is worth the trouble.
    package static let leastByteCount = 64 * 1024

    init(_ file: OpenFile, _ range: Range<Int>, lease: (any AnyObject & Sendable)? = nil) {
        (self.file, self.range, self.lease) = (file, range, lease)
    }

    package var byteCount: Int { range.count }

    /// False if the file has become shorter, so that the bytes cannot be sent any more.
    var isWhole: Bool { file.reaches(range.upperBound) }
}
