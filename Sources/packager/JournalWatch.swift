import Archive
import Logging
import MediaCore
import Presentation

/// Hears of a channel's journal, for the log and the record.
struct JournalWatch: Sendable {
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
        events.append(ChannelEvent(time: clock(), channel: channel, kind: .journal, message: "\(event)"))
        logger.warning("journal", metadata: ["channel": "\(channel)", "what": "\(event)"])
    }
}
