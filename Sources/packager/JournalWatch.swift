import Archive
import Control
import Logging
import MediaCore
import Presentation
import Synchronization

/// Hears of a channel's journal, for the log, the record, and the operator face.
final class JournalWatch: Sendable {
    private let channel: String
    private let events: EventLog
    private let clock: @Sendable () -> MediaTime
    private let logger: Logger
    private let problems = Mutex<[JournalProblem: String]>([:])

    init(channel: String, events: EventLog, clock: @escaping @Sendable () -> MediaTime, logger: Logger) {
        self.channel = channel
        self.events = events
        self.clock = clock
        self.logger = logger
    }

    /// What the operator face says of it.
    var status: ChannelStatus.Journal {
        let problem = problems.withLock { $0.sorted { $0.key.rawValue < $1.key.rawValue }.first?.value }
        return ChannelStatus.Journal(isHealthy: problem == nil, problem: problem)
    }

    func note(_ event: JournalEvent) {
        problems.withLock { problems in
            switch event {
            case .began(let problem, let reason): problems[problem] = reason
            case .ended(let problem): problems[problem] = nil
            case .notRestored: break
            }
        }
        events.append(ChannelEvent(time: clock(), channel: channel, kind: .journal, message: "\(event)"))
        logger.warning("journal", metadata: ["channel": "\(channel)", "what": "\(event)"])
    }
}
