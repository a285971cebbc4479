package import Files
package import NIOCore

/// Keeps the bodies of segments outside of memory for as long as a ``Presentation`` may serve them.
package protocol BodyStore: Sendable {
    /// Returns true if the store has all bytes of a path; nil if it cannot tell at once.
    ///
    /// The call is made under the presentation's lock, so it never waits for a disk.
    func holds(_ path: String) -> Bool?

    /// Returns exactly these bytes of a path; it waits for the disk.
    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer

    /// Returns the place of a path's bytes in a file, so that they can be sent without being read.
    ///
    /// The call may wait for the disk.
    ///
    /// - Returns: Nil if the bytes must be read; reading also reports why they are missing.
    func place(of range: Range<Int>, in path: String) -> FilePlace?
}

extension BodyStore {
    package func place(of range: Range<Int>, in path: String) -> FilePlace? { nil }
}
