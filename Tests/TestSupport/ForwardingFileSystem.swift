package import Files
package import NIOCore

/// A disk that hands calls on to another one, but for those that it answers itself.
///
/// It says of no file where it is, so that whatever is read of one is asked for here.
package protocol ForwardingFileSystem: FileSystem {
    /// The disk that gets the calls.
    var disk: any FileSystem { get }
}

extension ForwardingFileSystem {
    package func makeDirectory(_ path: String) throws(FileError) { try disk.makeDirectory(path) }
    package func lock(_ path: String) throws(FileError) -> (any HeldLock)? { try disk.lock(path) }
    package func list(_ path: String) throws(FileError) -> [String] { try disk.list(path) }
    package func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? {
        try disk.read(path, limit: limit)
    }
    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        try disk.read(path, range)
    }
    package func byteCount(of path: String) throws(FileError) -> Int? { try disk.byteCount(of: path) }
    package func availableByteCount(of path: String) throws(FileError) -> Int {
        try disk.availableByteCount(of: path)
    }
    package func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) { try disk.create(path, bytes) }
    package func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) { try disk.replace(path, bytes) }
    package func reserve(_ path: String, byteCount: Int) throws(FileError) {
        try disk.reserve(path, byteCount: byteCount)
    }
    package func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        try disk.write(bytes, to: path, at: offset)
    }
    package func remove(_ path: String) throws(FileError) { try disk.remove(path) }
    package func removeDirectory(_ path: String) throws(FileError) { try disk.removeDirectory(path) }
    package func synchronize(_ path: String) throws(FileError) { try disk.synchronize(path) }
}
