import Glibc
package import Logging

/// The journal of systemd as the reader of a stream (systemd.exec(5), sd-daemon(3)).
package enum JournalStream {
    /// Returns true if the journal reads a descriptor, which may have been redirected since the start.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of a stream.
    ///   - environment: The environment of the process: `JOURNAL_STREAM` names the device and the inode of its socket.
    /// - Returns: True if the journal reads it.
    package static func reads(_ descriptor: CInt, environment: [String: String]) -> Bool {
        let numbers = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":").map { UInt64($0) }
        var status = stat()
        guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
        return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
    }

    /// The prefix that the journal takes as the priority of a line.
    package static func prefix(_ level: Logger.Level) -> String {
        switch level {
        case .critical: "<2>"
        case .error: "<3>"
        case .warning: "<4>"
        case .notice: "<5>"
        case .info: "<6>"
        case .debug, .trace: "<7>"
        }
    }
}
