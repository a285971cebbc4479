import Glibc
import NIOCore

extension OpenFile {
    /// Reads a file that a setting names, without waiting for anybody: a FIFO would never end.
    ///
    /// - Parameters:
    ///   - path: A regular file, or a link to one.
    ///   - limit: Bytes that it may have.
    /// - Returns: The bytes of the file.
    /// - Throws: ``FileError``.
    package static func contents(of path: String, limit: Int = 1 << 20) throws(FileError) -> [UInt8] {
        let file = try OpenFile(path, O_RDONLY, followsLinks: true)
        let size = try file.status().byteCount
        guard size <= limit else {
            let reason = "its \(size) bytes are more than the \(limit) that it can have"
            throw FileError(operation: "read", path: path, reason: reason)
        }
        let bytes = try file.read(atMost: size)
        guard bytes.readableBytes == size else {
            throw FileError(operation: "read", path: path, reason: "it is shorter than it was")
        }
        return Array(bytes.readableBytesView)
    }

    /// Checks that a path is that of a readable regular file, before a library opens it and waits.
    ///
    /// - Throws: ``FileError`` if it is not.
    package static func check(_ path: String) throws(FileError) {
        try OpenFile(path, O_RDONLY, followsLinks: true).status()
    }
}
