import Glibc
import Hosting
import Operations

/// A document that a command writes to standard output: unlike a line of a log, to its end.
enum WrittenDocument {
    /// Writes a document; a reader that has closed the pipe has what it wants.
    ///
    /// - Throws: ``SetupError`` if it cannot be written.
    static func write(_ text: String) throws(SetupError) {
        let code = StandardStreams.write(text, to: STDOUT_FILENO)
        guard [0, EPIPE].contains(code) else { throw SetupError("standard output: \(String(cString: strerror(code)))") }
    }
}
