import Ingest
import Logging
import MediaCore
import Operations
import Synchronization

/// Logs the messages that libraries such as libsrt write on threads of their own.
final class LibraryLines: Sendable {
    private let filter = Mutex(RepetitionFilter())
    private let clock: any UTCClock
    private let logger: Logger

    private init(_ clock: any UTCClock, _ logger: Logger) {
        (self.clock, self.logger) = (clock, logger)
    }

    /// Logs them from now on.
    static func log(to logger: Logger, _ clock: any UTCClock) {
        let lines = LibraryLines(clock, logger)
        LibraryLog.listen { lines.take($0) }
    }

    private func take(_ line: LibraryLine) {
        let text = "\(line.source) \(line.text)"
        guard let suppressed = filter.withLock({ $0.admit(text, at: clock.now) }) else { return }
        var metadata: Logger.Metadata = ["from": "\(line.source)", "what": "\(line.text)"]
        if suppressed > 0 { metadata["repeated"] = "\(suppressed)" }
        // The reason why a connection of SRT was refused comes from the library alone.
        let level: Logger.Level = line.source == "srt" ? .notice : line.severity == .error ? .info : .debug
        logger.log(level: level, "library", metadata: metadata)
    }
}
