/// The place of bytes in a file of this machine.
package struct FilePlace: Hashable, Sendable {
    /// The path of the file.
    package let path: String
    /// The bytes, counted from the beginning of the file.
    package let range: Range<Int>

    package init(path: String, range: Range<Int>) {
        (self.path, self.range) = (path, range)
    }
}
