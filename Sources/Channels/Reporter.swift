import Logging
import Operations
import Segmenting

/// Passes an engine's reports on to operators.
struct Reporter: Sendable {
    let events: EventLog
    let logger: Logger

    func report(_ report: ChannelEngine.Report) {
        switch report {
        case .log(let level, let message, let metadata): logger.log(level: level, "\(message)", metadata: metadata)
        case .record(let event): events.append(event)
        }
    }
}
