package import Files
package import NIOCore

/// Keeps the bodies of segments outside of memory for as long as a ``Presentation`` may serve them.
package protocol BodyStore: Sendable {
    /// Returns true if it has all bytes of a path; nil if that is not known at once.
    ///
    /// It is asked under the presentation's lock, so it never waits for a disk.
    func holds(_ path: String) -> Bool?

    /// Returns exactly these bytes of a path; it waits for the disk.
    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer

    /// Returns the place of bytes of a path in a file, so that they can be sent without reading them; it may wait for the disk.
    ///
    /// - Returns: Nil where they have to be read, which also tells why they cannot be had.
    func place(of range: Range<Int>, in path: String) -> FilePlace?
}

extension BodyStore {
    package func place(of range: Range<Int>, in path: String) -> FilePlace? { nil }
}
