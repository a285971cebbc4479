import Channels
import HTTPServing
import Logging
import MediaCore
import Operations
import Presentation

/// Logs and records that a listener has as many connections as it may have.
struct ConnectionWatch: Sendable {
    /// The name of the listener: "origin" or "control API".
    let listener: String
    let events: EventLog
    let clock: any UTCClock
    let logger: Logger

    func note(_ limit: ConnectionLimit, _ news: LimitEpisode.News) {
        let (level, message): (Logger.Level, String) =
            switch news {
            case .began: (.warning, began(limit))
            case .ended(let count): (.notice, "The \(listener) accepts new connections again: \(count) \(cost(limit)).")
            }
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: ChannelEvent.allChannels,
                kind: .connections,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
        var metadata: Logger.Metadata = ["listener": "\(listener)", "what": "\(message)"]
        switch news {
        case .began:
            metadata["viewers"] = "\(isForViewers ? viewers(limit) : "they notice nothing")"
            metadata["do"] = "\(remedy(limit))"
            logger.warning("limit of connections reached", metadata: metadata)
        case .ended: logger.notice("limit of connections no longer reached", metadata: metadata)
        }
    }

    /// The setting that says how many one address may have: of the control API it is for clients without a token.
    private var share: String { listener == "origin" ? " (connections-per-address)" : "" }

    private func began(_ limit: ConnectionLimit) -> String {
        switch limit {
        case .displaced:
            "The \(listener) has reached its limit of connections: new ones displace those that were idle for longest."
        case .full:
            "The \(listener) has reached its limit of connections, and all are in use: new ones are refused."
        case .address:
            "One address has reached its limit of connections to the \(listener)\(share): "
                + "its idle ones are closed, or its new ones refused."
        case .descriptors:
            "The \(listener) cannot accept connections, because the process or the system has too many open files: "
                + "new ones wait. Raise the limit (ulimit -n, LimitNOFILE)."
        }
    }

    /// True if players connect to the listener.
    private var isForViewers: Bool { listener != "control API" }

    private func viewers(_ limit: ConnectionLimit) -> String {
        switch limit {
        case .displaced: "players whose idle connections are closed connect again, and notice next to nothing"
        case .full: "players that are refused stall or do not start, unless a CDN or a proxy serves them"
        case .address: "players behind that address may be refused, and stall or do not start"
        case .descriptors: "new players wait, and may give up"
        }
    }

    private func remedy(_ limit: ConnectionLimit) -> String {
        let files = "let the process open more files (ulimit -n, LimitNOFILE)"
        switch limit {
        case .displaced, .full:
            return isForViewers ? "\(files), or put caches in front" : "\(files); find out who connects so often"
        case .address:
            let address = "find out who is at that address, and block it if it is an attacker"
            return listener == "origin" ? "if it is a proxy, raise connections-per-address; else \(address)" : address
        case .descriptors: return files
        }
    }

    private func cost(_ limit: ConnectionLimit) -> String {
        switch limit {
        case .displaced: "idle connections were closed"
        case .full: "connections were refused"
        case .address: "connections of one address were closed or refused"
        case .descriptors: "attempts to accept a connection failed"
        }
    }
}
