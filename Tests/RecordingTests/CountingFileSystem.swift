import Files
import NIOCore
import Synchronization
import TestSupport

/// A disk that counts what is read of it.
final class CountingFileSystem: FileSystem {
    private let disk: MemoryFileSystem
    private let counts = Mutex<(calls: Int, bytes: Int)>((0, 0))

    init(_ disk: MemoryFileSystem) {
        self.disk = disk
    }

    /// The number of calls that read a file, and the bytes that they have read.
    var reads: (calls: Int, bytes: Int) { counts.withLock { $0 } }

    private func count(_ bytes: ByteBuffer?) {
        counts.withLock { $0 = ($0.calls + 1, $0.bytes + (bytes?.readableBytes ?? 0)) }
    }

    func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? {
        let bytes = try disk.read(path, limit: limit)
        count(bytes)
        return bytes
    }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        let bytes = try disk.read(path, range)
        count(bytes)
        return bytes
    }

    func byteCount(of path: String) -> Int? {
        count(nil)
        return disk.byteCount(of: path)
    }

    func availableByteCount(of path: String) -> Int { disk.availableByteCount(of: path) }
    func makeDirectory(_ path: String) { disk.makeDirectory(path) }
    func lock(_ path: String) -> (any AnyObject & Sendable)? { disk.lock(path) }
    func list(_ path: String) -> [String] { disk.list(path) }
    func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) { try disk.create(path, bytes) }
    func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) { try disk.replace(path, bytes) }
    func reserve(_ path: String, byteCount: Int) throws(FileError) { try disk.reserve(path, byteCount: byteCount) }
    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        try disk.write(bytes, to: path, at: offset)
    }
    func remove(_ path: String) throws(FileError) { try disk.remove(path) }
    func removeDirectory(_ path: String) { disk.removeDirectory(path) }
    func synchronize(_ path: String) { disk.synchronize(path) }
}
