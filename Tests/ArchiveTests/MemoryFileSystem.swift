import Archive
import Files
import Glibc
import MediaCore
import NIOCore
import Presentation
import Synchronization

/// A disk that can be full, stand still or fail, and knows what it was like after every call, and in the midst of it.
final class MemoryFileSystem: FileSystem {
    struct State {
        var files: [String: [UInt8]] = [:]
        /// Bytes that all files may take together.
        var capacity = Int.max
        /// The error of calls that change something.
        var failure: CInt?
        /// The error of reading a part of a file.
        var readFailure: CInt?
        /// The files that a process would find that was killed in a call; nil if no test wants to know.
        var history: [[String: [UInt8]]]?
        var locks: Set<String> = []
        var synchronized: Set<String> = []
        /// The files that were written where they stay.
        var created: Set<String> = []
    }

    let state: Mutex<State>
    /// Called before a write, outside the lock.
    let onWrite: @Sendable () -> Void

    init(_ files: [String: [UInt8]] = [:], onWrite: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(files: files))
        self.onWrite = onWrite
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }

    func takeHistory() -> [[String: [UInt8]]] {
        state.withLock { state in
            defer { state.history = [] }
            return state.history ?? []
        }
    }

    func makeDirectory(_ path: String) {}

    func lock(_ path: String) -> (any AnyObject & Sendable)? {
        state.withLock { $0.locks.insert(path).inserted } ? Lock() : nil
    }

    private final class Lock: Sendable {}

    func list(_ path: String) -> [String] {
        let prefix = path + "/"
        let names = files.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "/" } }
        return Set(names).map(String.init)
    }

    func read(_ path: String, limit: Int) -> ByteBuffer? {
        files[path].map { ByteBuffer(bytes: $0) }
    }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        let (file, failure) = state.withLock { ($0.files[path], $0.readFailure) }
        if let failure { throw FileError(operation: "read", path: path, code: failure) }
        guard let file, range.upperBound <= file.count else {
            throw FileError(operation: "read", path: path, code: ENOENT)
        }
        return ByteBuffer(bytes: file[range])
    }

    func byteCount(of path: String) -> Int? { files[path]?.count }

    func create(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
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

    func replace(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        onWrite()
        try change("write", path, Array(bytes.readableBytesView)) { $0.files[path] = $1 }
    }

    func reserve(_ path: String, byteCount: Int) throws(FileError) {
        let missing = byteCount - (files[path]?.count ?? 0)
        guard missing > 0 else { return }
        try change("reserve", path, Array(repeating: 0, count: missing)) { $0.files[path, default: []] += $1 }
    }

    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) throws(FileError) {
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

    func remove(_ path: String) throws(FileError) {
        try change("remove", path, []) { state, _ in state.files[path] = nil }
    }

    func synchronize(_ path: String) {
        state.withLock { _ = $0.synchronized.insert(path) }
    }

    private func change(
        _ operation: String,
        _ path: String,
        _ bytes: [UInt8],
        growth: Int? = nil,
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
                body(&half, Array(bytes.prefix(bytes.count / 2)))
                state.history?.append(half.files)
            }
            body(&state, bytes)
            state.history?.append(state.files)
        }
    }
}

extension MemoryFileSystem {
    /// Opens the journal of a channel, as a process does that begins: no other has it.
    func openJournal(
        configuration: [String: String] = ["clock": "pts"],
        defaults: [String: String] = [:],
        segmentDuration: MediaTime = MediaTime(seconds: 240),
        capacity: Int = 20_000,
        onEvent: @escaping @Sendable (JournalEvent) -> Void
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        state.withLock { $0.locks = [] }
        return try Journal.open(
            directory: "state",
            channel: "live",
            configuration: configuration,
            defaults: defaults,
            segmentDuration: segmentDuration,
            capacity: capacity,
            fileSystem: self,
            onEvent: onEvent
        )
    }
}
