import Logging
import Synchronization

/// Keeps the lines of a log, as `level message key=value …` with sorted keys.
final class LogLines: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    /// A logger that writes them.
    var logger: Logger { Logger(label: "test") { _ in self } }

    var all: [String] { lines.withLock { $0 } }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
        lines.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
    }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
}
