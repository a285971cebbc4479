import Dispatch
import Glibc

/// A file to which lines are appended, and that may be moved away meanwhile, for example by `logrotate`.
///
/// As with any ``LineWriter``, callers never wait for it.
package final class LineFile: Sendable {
    private let path: String
    private let descriptor: CInt
    private let writer: LineWriter

    /// Opens the file, or makes it.
    ///
    /// - Parameter path: The path of the file, which only its owner and group can read, because it shows who watches.
    /// - Throws: ``LineFileError`` if it cannot be opened.
    package init(_ path: String) throws(LineFileError) {
        self.path = path
        descriptor = try Self.open(path)
        writer = LineWriter(descriptor, reportsLosses: false)
    }

    deinit {
        writer.flush(until: .now() + .milliseconds(500))
        close(descriptor)
    }

    /// Appends a line, or several with a break between each two.
    package func write(_ line: String, count: Int = 1) { writer.write(line, count: count, isExpendable: true) }

    /// Returns once all earlier lines are in the file, or after half a second.
    package func flush() { writer.flush(until: .now() + .milliseconds(500)) }

    /// Continues in a new file of its name, where the old one was moved away.
    ///
    /// - Throws: ``LineFileError`` if there can be none; lines continue into the old one then.
    package func reopen() throws(LineFileError) {
        let new = try Self.open(path)
        // It is one step: a writer writes into the one or the other.
        dup2(new, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        close(new)
    }

    private static func open(_ path: String) throws(LineFileError) -> CInt {
        // Without O_NONBLOCK a FIFO without a reader would block the caller.
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw LineFileError(path: path, reason: String(cString: strerror(errno))) }
        return descriptor
    }
}

/// The reason why lines cannot be written to a file.
package struct LineFileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
