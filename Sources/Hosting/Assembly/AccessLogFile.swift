import Glibc
import Logging
import Operations
import Origin

/// The log of requests, one line each.
struct AccessLogFile {
    private let format: LogFormat
    /// The file; nil for standard output.
    private let file: LineFile?

    /// - Parameters:
    ///   - path: The path of the file; `-` for standard output.
    ///   - format: The form of its lines.
    /// - Throws: ``SetupError`` if there can be no such file.
    init(_ path: String, _ format: LogFormat) throws(SetupError) {
        self.format = format
        do throws(LineFileError) {
            file = path == "-" ? nil : try LineFile(path)
        } catch {
            throw SetupError("access-log", "\(error)")
        }
    }

    /// Finds out why there can be no such file; nil if there can.
    static func obstacle(to path: String) -> String? {
        let directory = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        if access(directory, F_OK) != 0 { return "\(path): there is no directory \(directory)" }
        if access(path, F_OK) == 0 {
            return access(path, W_OK) == 0 ? nil : "\(path): \(String(cString: strerror(errno)))"
        }
        return DirectoryCheck(directory).obstacle
    }

    var sink: AccessLog.Sink {
        AccessLog.Sink(format) { [file] lines, count in
            if let file {
                file.write(lines, count: count)
            } else {
                LineWriter.standardOutput.write(lines, count: count, isExpendable: true)
            }
        }
    }

    /// Continues in a new file if the old one was moved away.
    func reopen(_ logger: Logger) {
        do {
            try file?.reopen()
        } catch {
            logger.warning(
                "the access log cannot be opened again, and goes on where it was",
                metadata: [
                    "why": "\(error)", "viewers": "they notice nothing",
                    "do": "check the permissions and the free space of its directory, and send SIGHUP again",
                ]
            )
        }
    }
}
