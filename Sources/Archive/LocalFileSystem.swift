import Glibc
package import NIOCore

/// The disks of this machine.
package struct LocalFileSystem: FileSystem {
    package init() {}

    package func makeDirectory(_ path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            made += "/" + component
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else {
                throw FileError(operation: "make directory", path: made, code: errno)
            }
        }
    }

    package func lock(_ path: String) throws(FileError) -> (any AnyObject & Sendable)? {
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return file }
        guard errno == EWOULDBLOCK else { throw FileError(operation: "lock", path: path, code: errno) }
        return nil
    }

    package func list(_ path: String) throws(FileError) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw FileError(operation: "list", path: path, code: errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package func read(_ path: String) throws(FileError) -> ByteBuffer? {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw FileError(operation: "read", path: path, code: errno)
        }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(Int(status.st_size))
        while bytes.readableBytes < Int(status.st_size) {
            let missing = Int(status.st_size) - bytes.readableBytes
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { room in
                max(0, Glibc.read(file.descriptor, room.baseAddress, missing))
            }
            // It is read to where it can be: what is missing at its end will be missed by who knows what it holds.
            if count == 0 { break }
        }
        return bytes
    }

    package func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        do throws(FileError) {
            let file: OpenFile
            do throws(FileError) {
                file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
            } catch {
                guard error.code == ENOENT, let slash = path.lastIndex(of: "/") else { throw error }
                try makeDirectory(String(path[..<slash]))
                file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
            }
            try file.write(bytes, at: 0)
        } catch {
            // Half a file is worth nothing, and the room it takes may be wanted.
            unlink(path)
            throw error
        }
    }

    package func reserve(_ path: String, byteCount: Int) throws(FileError) {
        let file = try OpenFile(path, O_RDWR | O_CREAT)
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

    package func synchronize(_ path: String) throws(FileError) {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            // What has been removed meanwhile need not last.
            if error.code == ENOENT { return }
            throw error
        }
        guard fdatasync(file.descriptor) == 0 else {
            throw FileError(operation: "synchronize", path: path, code: errno)
        }
    }
}

/// A descriptor, closed with the last reference to it.
private final class OpenFile: Sendable {
    let descriptor: CInt
    private let path: String

    init(_ path: String, _ flags: CInt) throws(FileError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw FileError(operation: "open", path: path, code: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func write(_ bytes: ByteBuffer, at offset: Int) throws(FileError) {
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
}
