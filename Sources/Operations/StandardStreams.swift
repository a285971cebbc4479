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

    /// Waits until all lines are written, or have no reader.
    package static func flush() {
        let deadline = DispatchTime.now() + patience
        LineWriter.standardOutput.flush(until: deadline)
        LineWriter.standardError.flush(until: deadline)
    }
}
