import Archive
import Logging
import MediaCore
import Operations
import Presentation

/// Logs and records events of a channel's journal and of its files.
struct DiskWatch: Sendable {
    private let channel: String
    private let events: EventLog
    private let clock: @Sendable () -> MediaTime
    private let logger: Logger

    init(channel: String, events: EventLog, clock: @escaping @Sendable () -> MediaTime, logger: Logger) {
        self.channel = channel
        self.events = events
        self.clock = clock
        self.logger = logger
    }

    func note(_ event: JournalEvent) {
        let level: Logger.Level = if case .ended = event { .notice } else { .warning }
        note(.journal, level, "\(event)")
    }

    func note(_ event: MirrorEvent) {
        let level: Logger.Level = if case .ended = event { .notice } else { .warning }
        note(.output, level, "\(event)")
    }

    private func note(_ kind: ChannelEvent.Kind, _ level: Logger.Level, _ message: String) {
        let severity = ChannelEvent.Severity(level)
        events.append(ChannelEvent(time: clock(), channel: channel, kind: kind, severity: severity, message: message))
        logger.log(level: level, "\(kind.rawValue)", metadata: ["channel": "\(channel)", "what": "\(message)"])
    }
}
