package import Files
import Glibc
package import NIOCore
package import Synchronization

/// A disk that can be full, stand still or fail, and knows what it was like after every call, and in the midst of it.
package final class MemoryFileSystem: FileSystem {
    package struct State {
        package var files: [String: [UInt8]] = [:]
        /// Bytes that all files may take together.
        package var capacity = Int.max
        /// The error of calls that change something.
        package var failure: CInt?
        /// The error of reading a part of a file.
        package var readFailure: CInt?
        /// The files that cannot be read, by their paths, with the errors.
        package var unreadable: [String: CInt] = [:]
        /// The files that a process would find that was killed in a call; nil if no test wants to know.
        package var history: [[String: [UInt8]]]?
        package var locks: Set<String> = []
        package var synchronized: Set<String> = []
        /// The files that were written where they stay.
        package var created: Set<String> = []
        /// The files whose places were taken by others.
        package var reused: Set<String> = []
    }

    package let state: Mutex<State>
    /// Called before a write, outside the lock.
    package let onWrite: @Sendable () -> Void

    package init(_ files: [String: [UInt8]] = [:], onWrite: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(files: files))
        self.onWrite = onWrite
    }

    package var files: [String: [UInt8]] { state.withLock { $0.files } }

    package func takeHistory() -> [[String: [UInt8]]] {
        state.withLock { state in
            defer { state.history = [] }
            return state.history ?? []
        }
    }

    package func makeDirectory(_ path: String) {}

    package func lock(_ path: String) -> (any HeldLock)? {
        state.withLock { $0.locks.insert(path).inserted } ? Lock() : nil
    }

    private final class Lock: HeldLock {
        func isInPlace() -> Bool { true }
    }

    package func list(_ path: String) -> [String] {
        let prefix = path + "/"
        let names = files.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "/" } }
        return Set(names).map(String.init)
    }

    package func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? {
        let (file, failure) = state.withLock { ($0.files[path], $0.unreadable[path]) }
        if let failure { throw FileError(operation: "read", path: path, code: failure) }
        return file.map { ByteBuffer(bytes: $0) }
    }

    package func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        let (file, failure) = state.withLock { ($0.files[path], $0.unreadable[path] ?? $0.readFailure) }
        if let failure { throw FileError(operation: "read", path: path, code: failure) }
        guard let file, range.upperBound <= file.count else {
            throw FileError(operation: "read", path: path, code: ENOENT)
        }
        return ByteBuffer(bytes: file[range])
    }

    package func byteCount(of path: String) -> Int? { files[path]?.count }

    package func availableByteCount(of path: String) -> Int {
        state.withLock { state in max(0, state.capacity - state.files.values.reduce(0) { $0 + $1.count }) }
    }

    package func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        onWrite()
        let bytes = Array(bytes.readableBytesView)
        do throws(FileError) {
            try change("write", path, bytes) { $0.files[path] = $1 }
            state.withLock { _ = $0.created.insert(path) }
        } catch {
            state.withLock { $0.files[path] = nil }
            throw error
        }
    }

    package func create(_ path: String, _ bytes: ByteBuffer, inPlaceOf old: String) throws(FileError) {
        state.withLock { _ = $0.reused.insert(old) }
        try remove(old)
        try create(path, bytes)
    }

    package func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        onWrite()
        let temporary = path + LocalFileSystem.temporarySuffix
        try change("write", path, Array(bytes.readableBytesView), temporary: temporary) { state, bytes in
            state.files[temporary] = nil
            state.files[path] = bytes
        }
    }

    package func reserve(_ path: String, byteCount: Int) throws(FileError) {
        let missing = byteCount - (files[path]?.count ?? 0)
        guard missing > 0 else { return }
        try change("reserve", path, Array(repeating: 0, count: missing)) { $0.files[path, default: []] += $1 }
    }

    package func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
        onWrite()
        let bytes = Array(bytes.readableBytesView)
        let beyond = max(0, offset + bytes.count - (files[path]?.count ?? 0))
        try change("write", path, bytes, growth: beyond) { state, bytes in
            guard var file = state.files[path] else { return }
            file += Array(repeating: 0, count: beyond)
            file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            state.files[path] = file
        }
    }

    package func remove(_ path: String) throws(FileError) {
        try change("remove", path, []) { state, _ in state.files[path] = nil }
    }

    package func removeDirectory(_ path: String) {}

    package func synchronize(_ path: String) {
        state.withLock { _ = $0.synchronized.insert(path) }
    }

    /// Changes the files.
    ///
    /// - Parameters:
    ///   - operation: The call, for errors.
    ///   - path: The file, for errors.
    ///   - bytes: The bytes that are written.
    ///   - growth: The bytes by which the files grow; nil for all that are written.
    ///   - temporary: The file that has the bytes until they are whole; nil if they are written where they stay.
    ///   - body: Makes the change with all bytes, or half of them.
    /// - Throws: `FileError` if calls are to fail, or with `ENOSPC` if the files would not fit.
    private func change(
        _ operation: String,
        _ path: String,
        _ bytes: [UInt8],
        growth: Int? = nil,
        temporary: String? = nil,
        _ body: (inout State, [UInt8]) -> Void
    ) throws(FileError) {
        try state.withLock { state throws(FileError) in
            if let code = state.failure { throw FileError(operation: operation, path: path, code: code) }
            let used = state.files.values.reduce(0) { $0 + $1.count }
            if (growth ?? bytes.count) > 0, used + (growth ?? bytes.count) > state.capacity {
                throw FileError(operation: operation, path: path, code: ENOSPC)
            }
            if state.history != nil {
                var half = state
                let prefix = Array(bytes.prefix(bytes.count / 2))
                if let temporary { half.files[temporary] = prefix } else { body(&half, prefix) }
                state.history?.append(half.files)
            }
            body(&state, bytes)
            state.history?.append(state.files)
        }
    }
}
