import Dispatch
import Glibc

/// Prepares the standard streams before anything is written or opened.
package enum StandardStreams {
    /// The time that the end of the process waits for someone to read its last lines.
    private static let patience = DispatchTimeInterval.milliseconds(500)

    /// Makes the standard streams safe to write to, and has the process end with all lines written.
    package static func prepare() {
        // The next file to be opened would get the descriptor of a closed stream, and its output.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        // A reader that has gone is an error of one write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        atexit { StandardStreams.flush() }
    }

    /// Writes all of a text, and waits for its reader.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - descriptor: The descriptor of an open file.
    /// - Returns: The value of `errno`; 0 if all was written.
    package static func write(_ text: String, to descriptor: CInt) -> CInt {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process that shares the stream may have made it non-blocking.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Waits until all lines are written, or have no reader.
    package static func flush() {
        let deadline = DispatchTime.now() + patience
        LineWriter.standardOutput.flush(until: deadline)
        LineWriter.standardError.flush(until: deadline)
    }
}
