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
        case .began(let problem, let path):
            note(
                .warning,
                headline: "push problem",
                "\(destination) fails some or all requests, such as the one for \(path): \(problem)",
                viewers: "viewers of this destination may stall; viewers of the origin notice nothing",
                remedy: problem.remedy
            )
        case .losing(let problem):
            note(
                .error,
                headline: "push loses segments",
                "\(destination) loses segments, because there is no space to keep more: \(problem)",
                viewers: "segments will be missing there for good",
                remedy: problem.remedy
            )
        case .ended(let lost):
            let rest = lost > 0 ? "; it lacks \(lost) objects" : ""
            note(.notice, headline: "push problem is over", "\(destination) accepts everything again\(rest)")
        case .missing(let path):
            note(
                .warning,
                headline: "push lacks a segment",
                "\(path) cannot be sent to \(destination): the origin lists it, and does not have its bytes",
                viewers:
                    "players of that destination get no newer playlist of this rendition until it is no longer listed",
                remedy: "check the disk that the channel's state, output or recording is on"
            )
        case .recordingsHeldUp(let problem): noteHeldUpRecordings(problem)
        case .recordingsResumed:
            note(.notice, headline: "recordings are sent again", "\(destination) accepts finished recordings again")
        case .recordingSent(let id, let objects):
            let place = "\(destination)/recordings/\(id)"
            note(
                .notice,
                headline: "recording sent",
                "recording \(id) is at \(place) with all of its \(objects) objects"
            )
        case .recordingRemoved(let id):
            note(
                .notice,
                headline: "recording deleted at the destination",
                "\(destination) has deleted recording \(id)"
            )
        case .deletionsRefused(let problem): noteRefusedDeletions(problem)
        case .deletionsResumed:
            let message = "\(destination) has deleted all expired segments that it had refused to delete"
            note(.notice, headline: "push deletes again", message)
        case .recordingFailed(let id, let reason): noteFailure(id, reason)
        case .recordingNotRemoved(let id, let reason): noteRemoval(id, reason)
        }
    }

    private func noteHeldUpRecordings(_ problem: StoreProblem) {
        note(
            .warning,
            headline: "recordings not sent",
            "\(destination) accepts no finished recordings: \(problem)",
            viewers: "new recordings are missing at that destination; the stream and the origin are not affected",
            remedy: problem.remedy
        )
    }

    private func noteRefusedDeletions(_ problem: StoreProblem) {
        note(
            .warning,
            headline: "push cannot delete",
            "\(destination) refuses to delete some or all expired segments, which stay there: \(problem)",
            viewers: "they notice nothing: segments and playlists are sent as before",
            remedy:
                "allow these credentials to delete objects there (s3:DeleteObject), lift locks, or set expired: keep"
        )
    }

    private func noteFailure(_ id: String, _ reason: String) {
        note(
            .warning,
            headline: "recording not sent",
            "recording \(id) cannot be sent to \(destination): \(reason)",
            viewers: "requests for it at that destination get 404; the origin has it",
            remedy: "correct the cause (see what); the packager tries again every ten minutes if it may pass by itself"
        )
    }

    private func noteRemoval(_ id: String, _ reason: String) {
        note(
            .warning,
            headline: "recording not deleted at the destination",
            "recording \(id) was removed here, but cannot be deleted at \(destination): \(reason)",
            viewers: "players may still get it from that destination",
            remedy: "allow these credentials to delete objects there; the packager tries again every ten minutes"
        )
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
