package import Presentation

/// A consumer that keeps the segments of a channel, so that a ``Journal`` only writes lines.
///
/// The journal hands it every batch before it writes the lines of that batch, so that lines only name stored segments.
package protocol MediaStore: PublicationConsumer, BodyStore {
    /// Returns the number of bytes of a path; nil if it does not have them all. It waits for the disk.
    func byteCount(of path: String) -> Int?
}
