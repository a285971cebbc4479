import Files
import NIOCore
import Synchronization
import TestSupport

/// A disk that counts what is read of it.
final class CountingFileSystem: ForwardingFileSystem {
    let disk: any FileSystem
    private let counts = Mutex<(calls: Int, bytes: Int)>((0, 0))

    init(_ disk: any FileSystem) {
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

    func byteCount(of path: String) throws(FileError) -> Int? {
        count(nil)
        return try disk.byteCount(of: path)
    }
}
