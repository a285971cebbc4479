import EventDelivery
import Logging
import MediaCore
import Operations

/// Logs and records the storage of events and their delivery to webhooks.
struct EventWatch: Sendable {
    let events: EventLog
    let clock: any UTCClock
    let logger: Logger

    func note(_ news: EventStoreEvent) {
        switch news {
        case .began:
            note(
                .events,
                .warning,
                headline: "events are not kept on disk",
                "\(news)",
                ["what": "\(news)"],
                remedy: "free space on the disk, or repair it; until then memory has the latest thousand"
            )
        case .ended:
            note(.events, .notice, headline: "events are kept on disk again", "\(news)", ["what": "\(news)"])
        case .setAside:
            note(
                .events,
                .warning,
                headline: "event database damaged: renamed, and a new one begun",
                "\(news)",
                ["what": "\(news)"],
                remedy: "check the disk, and keep the file if you need the events of before"
            )
        case .tookAlong:
            note(
                .events,
                .notice,
                headline: "events copied to the new state directory",
                "\(news)",
                ["what": "\(news)"]
            )
        case .left:
            note(
                .events,
                .warning,
                headline: "events stay in the old state directory",
                "\(news)",
                ["what": "\(news)"],
                remedy:
                    "read the old file (see what) with sqlite3: posts that wait for webhooks may not be sent"
            )
        }
    }

    /// Notes news of a webhook; `name` is its name without secrets.
    func note(_ news: WebhookEvent, of name: String) {
        let metadata: Logger.Metadata = ["webhook": "\(name)", "what": "\(news)"]
        if case .ended = news {
            note(.webhook, .notice, headline: "webhook takes events again", "\(name) \(news)", metadata)
        } else {
            note(
                .webhook,
                .warning,
                headline: "webhook takes no events",
                "\(name) \(news)",
                metadata,
                remedy: "check its server, and its entry in GET /webhooks"
            )
        }
    }

    /// Logs and records an event; `remedy` is nil if there is nothing to mend.
    private func note(
        _ kind: ChannelEvent.Kind,
        _ level: Logger.Level,
        headline: String,
        _ message: String,
        _ metadata: Logger.Metadata,
        remedy: String? = nil
    ) {
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: ChannelEvent.allChannels,
                kind: kind,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
        var metadata = metadata
        if let remedy {
            metadata["viewers"] = "they notice nothing"
            metadata["do"] = "\(remedy)"
        }
        logger.log(level: level, "\(headline)", metadata: metadata)
    }
}
