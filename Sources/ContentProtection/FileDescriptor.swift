import Glibc

/// An open file; the only owner of its descriptor.
struct FileDescriptor: ~Copyable {
    private let descriptor: CInt
    private let path: String

    /// Opens a file; `mode` counts only where `flags` create one.
    init(opening path: String, flags: CInt, mode: mode_t = 0) throws(MasterSecretFileError) {
        self.descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        self.path = path
        guard descriptor >= 0 else { throw failure("open") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    borrowing func status() throws(MasterSecretFileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("fstat") }
        return status
    }

    /// The first bytes of a regular file, all of them if it has no more than `limit`.
    borrowing func read(atMost limit: Int) throws(MasterSecretFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe Glibc.read(descriptor, &bytes, limit)
        guard count >= 0 else { throw failure("read") }
        return Array(bytes.prefix(count))
    }

    /// Writes a few bytes, which a regular file takes at once or not at all.
    borrowing func write(_ bytes: [UInt8]) throws(MasterSecretFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write") }
            // A disk that fills up takes less than it is given.
            rest = rest.dropFirst(count)
        }
    }

    borrowing func synchronize() throws(MasterSecretFileError) {
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
    }

    private borrowing func failure(_ operation: String) -> MasterSecretFileError {
        MasterSecretFileError(path, .system(operation: operation, code: errno))
    }
}
