import Foundation
import Glibc
import Logging
import Synchronization

/// Writes one plain line an event to standard error: time, level, message, variables.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    init(label: String) {}

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "\(Date.now.formatted(Self.time)) \(event.level) \(event.message)"
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            let text = "\(value)"
            line +=
                text.contains(where: { $0.isWhitespace || $0 == "\"" })
                // Swift escapes apostrophes, too, which are none of a quotation mark's business.
                ? " \(key)=\(text.debugDescription.replacing("\\'", with: "'"))" : " \(key)=\(text)"
        }
        StatusTerminal.shared.write(line: line)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// Standard error, shared by log lines and the progress line below them.
final class StatusTerminal: Sendable {
    static let shared = StatusTerminal()

    let isTerminal = isatty(STDERR_FILENO) == 1
    private let progress = Mutex("")

    /// Writes a line of its own, above the progress line.
    func write(line: String) {
        progress.withLock { progress in
            let clear = progress.isEmpty ? "" : "\r\u{1B}[K"
            Self.write("\(clear)\(line)\n\(progress)")
        }
    }

    /// Replaces the progress line.
    func show(progress text: String) {
        progress.withLock { progress in
            Self.write("\r\u{1B}[K\(text)")
            progress = text
        }
    }

    /// A log that cannot be written must not end the stream: errors are passed over.
    private static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
