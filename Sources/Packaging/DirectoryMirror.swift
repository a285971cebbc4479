import Dispatch
import Glibc
import NIOCore
package import Presentation

/// Keeps a directory equal to what the origin serves: the same bytes as files.
///
/// Each file appears whole or not at all. Writing happens on a queue of its own, so a slow disk does not hold up the
/// stream; while the queue of a live feed is full, changes add up and what has expired meanwhile is never written.
package final class DirectoryMirror: Sendable {
    private let directory: String
    private let waits: Bool
    private let queue = DispatchQueue(label: "mirror")
    private let room: DispatchSemaphore
    private let onError: @Sendable (FileError) -> Void

    /// A file system call that failed.
    package struct FileError: Error, CustomStringConvertible, Sendable {
        package var operation: String
        package var path: String
        package var code: CInt

        package var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
    }

    /// - Parameters:
    ///   - directory: Made if it is not there.
    ///   - waits: Whether a full queue holds up the caller (stored feeds) instead of leaving files out (live ones).
    ///   - onError: Told of each file that could not be written, on the mirror's queue.
    /// - Throws: ``FileError`` where the directory cannot be made or written to.
    package init(
        directory: String,
        waits: Bool,
        onError: @escaping @Sendable (FileError) -> Void
    ) throws(FileError) {
        self.directory = directory
        self.waits = waits
        // Publications that may wait for the disk: few where the feed can wait, minutes' worth where it cannot.
        room = DispatchSemaphore(value: waits ? 2 : 64)
        self.onError = onError
        try Self.makeDirectory(directory)
        guard access(directory, W_OK | X_OK) == 0 else {
            throw FileError(operation: "write to", path: directory, code: errno)
        }
    }

    /// Queues changes, which become visible in their order.
    ///
    /// - Parameter changes: Asked for only once there is room; what is not taken now comes with the next ones.
    /// - Returns: Whether there was room.
    package func apply(_ changes: () -> [ResourceChange]) -> Bool {
        guard room.wait(timeout: waits ? .distantFuture : .now()) == .success else { return false }
        let changes = changes()
        guard !changes.isEmpty else {
            room.signal()
            return true
        }
        queue.async { [self] in
            for change in changes {
                do throws(FileError) {
                    try perform(change)
                } catch {
                    onError(error)
                }
            }
            room.signal()
        }
        return true
    }

    /// Returns once all queued changes are made.
    package func finish() {
        queue.sync {}
    }

    private func perform(_ change: ResourceChange) throws(FileError) {
        let path = change.path
        guard let bytes = change.body else {
            guard unlink("\(directory)/\(path)") == 0 || errno == ENOENT else {
                throw FileError(operation: "remove", path: path, code: errno)
            }
            return
        }
        let target = "\(directory)/\(path)"
        let temporary = target + ".new"
        var descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0, errno == ENOENT, let slash = target.lastIndex(of: "/") {
            try Self.makeDirectory(String(target[..<slash]))
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
        guard descriptor >= 0 else { throw FileError(operation: "open", path: temporary, code: errno) }
        let code = bytes.withUnsafeReadableBytes { Self.writeAll($0, to: descriptor) }
        close(descriptor)
        guard code == 0 else {
            unlink(temporary)
            throw FileError(operation: "write", path: temporary, code: code)
        }
        guard rename(temporary, target) == 0 else {
            let code = errno
            unlink(temporary)
            throw FileError(operation: "rename", path: temporary, code: code)
        }
    }

    /// - Returns: 0, or errno.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private static func makeDirectory(_ path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            made += "/" + component
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else {
                throw FileError(operation: "make directory", path: made, code: errno)
            }
        }
    }
}
