import Archive
import Assets
import Logging
import MediaCore
import Operations
import Presentation
import Recording

/// Logs and records events of a channel's journal, of its recording and of its files.
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
        switch event {
        case .began(let problem, _):
            note(.journal, .warning, headline: "journal problem", "\(event)", viewers: problem.viewers)
        case .ended: note(.journal, .notice, headline: "journal problem is over", "\(event)")
        case .notRestored, .lost:
            note(
                .journal,
                .warning,
                headline: "window not restored in full",
                "\(event)",
                viewers: "players may have to load the stream anew, and cannot go back to what was listed before",
                remedy: "nothing if what names a cause that you know; else check the disk"
            )
        }
    }

    func note(_ event: RecordingEvent) {
        switch event {
        case .began(let problem, _):
            note(
                .recording,
                .warning,
                headline: "recording problem",
                "\(event)",
                viewers: problem.viewers,
                remedy: Self.remedyOfRecording
            )
        case .ended: note(.recording, .notice, headline: "recording problem is over", "\(event)")
        case .shed:
            let viewers = "requests for that part of the past get 404"
            note(.recording, .warning, headline: "recording shortened", "\(event)", viewers: viewers)
        case .torn:
            let viewers = "viewers of that part of the past get gaps"
            note(.recording, .warning, headline: "recording damaged", "\(event)", viewers: viewers)
        }
    }

    /// Notes an event of healing; `peer` is the URL of the other member of the pair.
    func note(_ event: HealingEvent, from peer: String) {
        let message = event.message(from: peer)
        switch event {
        case .filled: note(.recording, .notice, headline: "recording healed", message)
        case .unfilled:
            note(
                .recording,
                .warning,
                headline: "recording not healed",
                message,
                viewers: "viewers who start in that part of the recording get gaps from this packager",
                remedy: "nothing, if the other packager missed the same slots; else check its recording"
            )
        case .interrupted:
            note(
                .recording,
                .warning,
                headline: "recording waits for its peer",
                message,
                viewers: "until then, viewers who start in that part of the recording get gaps from this packager",
                remedy:
                    "correct the cause (see what) at the other packager, or on the disk of this one; the packager tries again"
            )
        case .resumed: note(.recording, .notice, headline: "recording heals again", message)
        }
    }

    func note(_ event: AssetEvent) {
        switch event {
        case .made: note(.recording, .notice, headline: "recording finished", "\(event)")
        case .expired: note(.recording, .notice, headline: "recording expired", "\(event)")
        case .failed:
            note(
                .recording,
                .warning,
                headline: "recording failed",
                "\(event)",
                viewers: "requests for it get 404",
                remedy: "correct the cause (see what), and post it again"
            )
        case .notRemoved:
            note(
                .recording,
                .warning,
                headline: "recording not removed",
                "\(event)",
                viewers: "requests for it get 404",
                remedy: "correct the cause (see what); the packager tries again every five minutes"
            )
        case .withoutKeys:
            note(
                .recording,
                .warning,
                headline: "recording without keys",
                "\(event)",
                viewers: "players get no key for it, and show nothing",
                remedy: "correct the cause (see what); the packager asks the source again when a viewer wants a key"
            )
        case .skipped, .unopened:
            let viewers = "requests for them get 404; the live channel is not affected"
            let remedy = "correct or remove those entries, and start the channel again"
            note(
                .recording,
                .warning,
                headline: "finished recordings not read",
                "\(event)",
                viewers: viewers,
                remedy: remedy
            )
        }
    }

    func note(_ event: MirrorEvent) {
        switch event {
        case .began: note(.output, .warning, headline: "output problem", "\(event)", viewers: Self.viewersOfOutput)
        case .ended: note(.output, .notice, headline: "output problem is over", "\(event)")
        }
    }

    private static let viewersOfOutput =
        "players of the files in output stall or get no keys; viewers of the origin notice nothing"
    private static let remedy =
        "free space on the disk, or repair it; the packager then continues by itself"
    private static let remedyOfRecording =
        "free space on the disk, repair it, or put it or the directory back if they are gone; the packager then "
        + "continues by itself"

    /// Logs and records an event; `viewers` is the effect of a problem on viewers, nil if there is no problem.
    private func note(
        _ kind: ChannelEvent.Kind,
        _ level: Logger.Level,
        headline: String,
        _ message: String,
        viewers: String? = nil,
        remedy: String = DiskWatch.remedy
    ) {
        let severity = ChannelEvent.Severity(level)
        events.append(ChannelEvent(time: clock(), channel: channel, kind: kind, severity: severity, message: message))
        var metadata: Logger.Metadata = ["channel": "\(channel)", "what": "\(message)"]
        if let viewers {
            metadata["viewers"] = "\(viewers)"
            metadata["do"] = "\(remedy)"
        }
        logger.log(level: level, "\(headline)", metadata: metadata)
    }
}

extension RecordingProblem {
    /// The effect on viewers.
    fileprivate var viewers: String {
        switch self {
        case .reading:
            "requests for the past get 503, and so do requests for segments that are no longer in memory"
        case .writing: "later viewers of this part of the past get gaps"
        case .late, .synchronization: "they notice nothing, unless the machine fails now"
        case .removal: "they notice nothing, until the disk is full"
        }
    }
}

extension JournalProblem {
    /// The effect on viewers.
    fileprivate var viewers: String {
        switch self {
        case .reading: "viewers who go back to segments that are no longer in memory get 503"
        case .late, .records, .media, .parts, .synchronization:
            "they notice nothing now, but a restart may lose the window"
        case .schedule:
            "they notice nothing now, but a restart may lose scheduled posts"
        }
    }
}
