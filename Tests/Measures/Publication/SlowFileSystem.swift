import Files
import Foundation
import NIOCore
import TestSupport

/// A disk on which each write takes its time.
struct SlowFileSystem: ForwardingFileSystem {
    let disk: any FileSystem = LocalFileSystem.confidential
    /// Seconds.
    let delay: TimeInterval

    func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.create(path, bytes)
    }

    func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.replace(path, bytes)
    }

    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        Thread.sleep(forTimeInterval: delay)
        try disk.write(bytes, to: path, at: offset)
    }
}
