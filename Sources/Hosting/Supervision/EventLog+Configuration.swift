import Logging
import MediaCore
import Operations

extension EventLog {
    /// Records an event of the configuration of the whole process.
    ///
    /// - Parameters:
    ///   - level: The level of the line of the log about it.
    ///   - message: A sentence.
    ///   - time: The time of the event, in UTC.
    func noteConfiguration(_ level: Logger.Level, _ message: String, at time: MediaTime) {
        append(
            ChannelEvent(
                time: time,
                channel: ChannelEvent.allChannels,
                kind: .configuration,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
    }
}
