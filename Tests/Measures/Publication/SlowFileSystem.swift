import Files
import Foundation
import NIOCore

/// A disk on which each write takes its time.
struct SlowFileSystem: FileSystem {
    private let disk = LocalFileSystem.confidential
    /// Seconds.
    let delay: TimeInterval

    func makeDirectory(_ path: String) throws(FileError) { try disk.makeDirectory(path) }
    func lock(_ path: String) throws(FileError) -> (any AnyObject & Sendable)? { try disk.lock(path) }
    func list(_ path: String) throws(FileError) -> [String] { try disk.list(path) }
    func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? { try disk.read(path, limit: limit) }
    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer { try disk.read(path, range) }
    func byteCount(of path: String) throws(FileError) -> Int? { try disk.byteCount(of: path) }
    func availableByteCount(of path: String) throws(FileError) -> Int { try disk.availableByteCount(of: path) }

    func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.create(path, bytes)
    }

    func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.replace(path, bytes)
    }

    func reserve(_ path: String, byteCount: Int) throws(FileError) { try disk.reserve(path, byteCount: byteCount) }

    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.write(bytes, to: path, at: offset)
    }

    func remove(_ path: String) throws(FileError) { try disk.remove(path) }
    func removeDirectory(_ path: String) throws(FileError) { try disk.removeDirectory(path) }
    func synchronize(_ path: String) throws(FileError) { try disk.synchronize(path) }
}
