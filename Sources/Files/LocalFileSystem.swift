import CGlibc
import Glibc
package import NIOCore

/// The disks of this machine.
package struct LocalFileSystem: FileSystem {
    private let fileMode: mode_t
    private let directoryMode: mode_t

    /// Files that only this program reads: a stream that viewers need a token or a key for may lie there in the clear.
    package static let confidential = LocalFileSystem(fileMode: 0o600, directoryMode: 0o700)
    /// Files that other programs shall read, such as a web server under a user of its own.
    package static let published = LocalFileSystem(fileMode: 0o644, directoryMode: 0o755)

    /// The end of the names of files that are not whole.
    package static let temporarySuffix = ".new"

    package func makeDirectory(_ path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            made += "/" + component
            guard mkdir(made, directoryMode) == 0 || errno == EEXIST else {
                throw FileError(operation: "make directory", path: made, code: errno)
            }
        }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw FileError(operation: "make directory", path: path, code: errno)
        }
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw FileError(operation: "make directory", path: path, reason: "a symbolic link has its name")
        }
    }

    package func lock(_ path: String) throws(FileError) -> (any HeldLock)? {
        let file = try OpenFile(path, O_RDWR | O_CREAT, mode: fileMode)
        try file.status()
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(file) }
        guard errno == EWOULDBLOCK else { throw FileError(operation: "lock", path: path, code: errno) }
        return nil
    }

    package func list(_ path: String) throws(FileError) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let directory = fdopendir(descriptor) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw FileError(operation: "list", path: path, code: errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // The end and an error differ in errno alone.
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw FileError(operation: "list", path: path, code: errno) }
        return names
    }

    package func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        let size = try file.status().byteCount
        guard size <= limit else {
            let reason = "its \(size) bytes are more than the \(limit) that it can have"
            throw FileError(operation: "read", path: path, reason: reason)
        }
        let bytes = try file.read(atMost: size)
        guard bytes.readableBytes == size else {
            throw FileError(operation: "read", path: path, reason: "it is shorter than it was")
        }
        return bytes
    }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        let file = try OpenFile(path, O_RDONLY)
        try file.status()
        let bytes = try file.read(atMost: range.count, from: range.lowerBound)
        guard bytes.readableBytes == range.count else {
            throw FileError(operation: "read", path: path, reason: "it is shorter than it was")
        }
        return bytes
    }

    package func place(of range: Range<Int>, in path: String) -> FilePlace? { FilePlace(path: path, range: range) }

    package func byteCount(of path: String) throws(FileError) -> Int? {
        do throws(FileError) {
            return try OpenFile(path, O_RDONLY).status().byteCount
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    package func availableByteCount(of path: String) throws(FileError) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw FileError(operation: "measure", path: path, code: errno) }
        // Blocks reserved for root do not count.
        let (bytes, isBeyond) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isBeyond ? .max : Int(clamping: bytes)
    }

    package func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        let file = try makeFile(path)
        do throws(FileError) {
            try file.write(bytes, at: 0)
        } catch {
            // Half a file is worth nothing, and the room it takes may be wanted.
            unlink(path)
            throw error
        }
    }

    package func create(_ path: String, _ bytes: ByteBuffer, inPlaceOf old: String) throws(FileError) {
        let temporary = path + Self.temporarySuffix
        // Whoever opens the file from now on knows that it is not whole.
        guard rename(old, temporary) == 0, let file = try? OpenFile(temporary, O_WRONLY), file.isUnshared else {
            try remove(temporary)
            try remove(old)
            return try create(path, bytes)
        }
        do throws(FileError) {
            try file.write(bytes, at: 0)
            try file.truncate(to: bytes.readableBytes)
        } catch {
            unlink(temporary)
            throw error
        }
        try move(temporary, to: path)
    }

    package func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        let temporary = path + Self.temporarySuffix
        try create(temporary, bytes)
        try move(temporary, to: path)
    }

    private func move(_ temporary: String, to path: String) throws(FileError) {
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw FileError(operation: "rename", path: temporary, code: code)
        }
    }

    /// Makes a new file, with its directory where that is missing.
    private func makeFile(_ path: String) throws(FileError) -> OpenFile {
        if let slash = path.lastIndex(of: "/") {
            let directory = String(path[..<slash])
            var status = stat()
            if lstat(directory, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR { try makeDirectory(directory) }
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL
        do throws(FileError) {
            return try OpenFile(path, flags, mode: fileMode)
        } catch {
            // The entry is removed whatever its kind; the target of a link stays.
            guard error.code == EEXIST else { throw error }
            try remove(path)
            return try OpenFile(path, flags, mode: fileMode)
        }
    }

    package func reserve(_ path: String, byteCount: Int) throws(FileError) {
        let file = try OpenFile(path, O_RDWR | O_CREAT, mode: fileMode)
        try file.status()
        var code: CInt
        repeat { code = posix_fallocate(file.descriptor, 0, byteCount) } while code == EINTR
        guard code == 0 else { throw FileError(operation: "reserve", path: path, code: code) }
    }

    package func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        try OpenFile(path, O_WRONLY).write(bytes, at: offset)
    }

    package func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileError(operation: "remove", path: path, code: errno)
        }
    }

    package func removeDirectory(_ path: String) throws(FileError) {
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw FileError(operation: "remove", path: path, code: errno)
        }
    }

    package func synchronize(_ path: String) throws(FileError) {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            // A file that was removed meanwhile need not be synchronised.
            if error.code == ENOENT { return }
            throw error
        }
        try file.synchronize()
    }

    /// Returns once all bytes written to the disk of a directory withstand a power cut.
    ///
    /// It waits once, however many files there are; a wait for each would make the disk flush its cache as often.
    ///
    /// - Parameter directory: The path of a directory.
    /// - Throws: ``FileError`` if it is not a directory, or if bytes could not be written.
    package func synchronizeDisk(of directory: String) throws(FileError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(operation: "synchronize", path: directory, code: errno) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw FileError(operation: "synchronize", path: directory, code: errno) }
    }
}

/// A lock on a file; it is given back with the last reference to it.
private final class FileLock: HeldLock {
    private let file: OpenFile

    init(_ file: OpenFile) {
        self.file = file
    }

    func isInPlace() throws(FileError) -> Bool { try file.isInPlace() }

    // A program that is just being started has a copy of the descriptor, which would hold the lock (flock(2)).
    deinit { flock(file.descriptor, LOCK_UN) }
}
