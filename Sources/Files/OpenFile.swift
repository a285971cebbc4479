import CGlibc
package import Glibc
package import NIOCore

/// An open file; its descriptor is closed with the last reference to it.
package final class OpenFile: Sendable {
    package let descriptor: CInt
    private let path: String

    /// Opens a file without waiting.
    ///
    /// - Parameters:
    ///   - path: Its name.
    ///   - flags: The flags of `open(2)`.
    ///   - mode: Counts only where `flags` create a file.
    ///   - followsLinks: True if the path may be a symbolic link.
    /// - Throws: ``FileError``.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0, followsLinks: Bool = false) throws(FileError) {
        self.path = path
        // Without O_NONBLOCK a named pipe would keep us waiting for a writer.
        descriptor = open(path, flags | (followsLinks ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_CLOEXEC, mode)
        if descriptor >= 0 { return }
        switch errno {
        case ELOOP where !followsLinks:
            throw FileError(operation: "open", path: path, reason: "it is a symbolic link, not a file")
        case ENXIO: throw FileError(operation: "open", path: path, reason: "it is a FIFO or a device, not a file")
        case let code: throw FileError(operation: "open", path: path, code: code)
        }
    }

    /// Makes a file without a name, whose bytes are in memory and nowhere else.
    ///
    /// - Throws: ``FileError`` if there is no descriptor left, or no memory for them.
    package init(inMemory bytes: ByteBuffer) throws(FileError) {
        path = "in memory"
        descriptor = memfd_create("packager", OpenFile.closesInPrograms)
        guard descriptor >= 0 else { throw FileError(operation: "make", path: path, code: errno) }
        try write(bytes, at: 0)
    }

    /// The flag `MFD_CLOEXEC`.
    private static let closesInPrograms: CUnsignedInt = 1

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Checks the file's type, and returns its length in bytes and its permissions.
    ///
    /// - Throws: ``FileError`` if it is not a plain file.
    @discardableResult
    package func status() throws(FileError) -> (byteCount: Int, permissions: mode_t) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(operation: "open", path: path, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (Int(status.st_size), status.st_mode & 0o7777)
        case S_IFDIR: throw FileError(operation: "open", path: path, reason: "it is a directory, not a file")
        default: throw FileError(operation: "open", path: path, reason: "it is a FIFO or a device, not a file")
        }
    }

    /// Returns true if its path still leads to it.
    ///
    /// - Throws: ``FileError`` if that cannot be found out.
    package func isInPlace() throws(FileError) -> Bool {
        var (own, found) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw FileError(operation: "open", path: path, code: errno) }
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw FileError(operation: "open", path: path, code: errno)
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    /// Reads its bytes from an offset on: fewer if the file ends.
    ///
    /// - Throws: ``FileError`` if existing bytes cannot be read.
    package func read(atMost byteCount: Int, from offset: Int = 0) throws(FileError) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(byteCount)
        while bytes.readableBytes < byteCount {
            let done = bytes.readableBytes
            let missing = byteCount - done
            var code: CInt = 0
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { room in
                let count = pread(descriptor, room.baseAddress, missing, off_t(offset + done))
                if count < 0 { code = errno }
                return max(0, count)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw FileError(operation: "read", path: path, code: code) }
            if count == 0 { break }
        }
        return bytes
    }

    /// Writes all bytes, from an offset on.
    ///
    /// - Throws: ``FileError``.
    package func write(_ bytes: ByteBuffer, at offset: Int) throws(FileError) {
        let code = bytes.withUnsafeReadableBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return errno }
                done += count
            }
            return 0
        }
        guard code == 0 else { throw FileError(operation: "write", path: path, code: code) }
    }

    /// Cuts off its bytes beyond a length.
    ///
    /// - Throws: ``FileError``.
    package func truncate(to byteCount: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
            throw FileError(operation: "truncate", path: path, code: errno)
        }
    }

    /// True if it is a plain file that has one name, and that nobody else has open or mapped.
    ///
    /// A write lease is granted for such a file alone, and not by every file system (fcntl(2)).
    package var isUnshared: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            fcntl(descriptor, Self.setLease, F_WRLCK) == 0
        else { return false }
        return fcntl(descriptor, Self.setLease, F_UNLCK) == 0
    }

    /// The command `F_SETLEASE`.
    private static let setLease: CInt = 1_024

    /// Returns once its bytes withstand a power cut.
    ///
    /// - Throws: ``FileError``.
    package func synchronize() throws(FileError) {
        guard fdatasync(descriptor) == 0 else { throw FileError(operation: "synchronize", path: path, code: errno) }
    }
}
