import Logging
import MediaCore
import ObjectStores
import Operations

/// Logs and records events of a destination that a channel is sent to.
struct PushWatch: Sendable {
    let channel: String
    /// The URL of the destination, without secrets.
    let destination: String
    let events: EventLog
    let clock: any UTCClock
    let logger: Logger

    func note(_ event: PushEvent) {
        switch event {
        case .began(let problem):
            note(
                .warning,
                headline: "push problem",
                "\(destination) takes nothing: \(problem)",
                viewers: "who plays from there sees the playlists stand still; the origin is not concerned",
                remedy: problem.remedy
            )
        case .losing(let problem):
            note(
                .error,
                headline: "push loses segments",
                "\(destination) loses segments, for there is no room to keep more of them: \(problem)",
                viewers: "segments will be missing there for good",
                remedy: problem.remedy
            )
        case .ended(let lost):
            let rest = lost > 0 ? "; it lacks \(lost) objects" : ""
            note(.notice, headline: "push problem is over", "\(destination) takes everything again\(rest)")
        }
    }

    private func note(
        _ level: Logger.Level,
        headline: String,
        _ message: String,
        viewers: String? = nil,
        remedy: String? = nil
    ) {
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: channel,
                kind: .push,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
        var metadata: Logger.Metadata = ["channel": "\(channel)", "what": "\(message)"]
        if let viewers { metadata["viewers"] = "\(viewers)" }
        if let remedy { metadata["do"] = "\(remedy)" }
        logger.log(level: level, "\(headline)", metadata: metadata)
    }
}
