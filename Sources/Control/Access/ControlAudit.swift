import Logging
import MediaCore
import Operations
import Playlists
import Synchronization

/// Records changes through the control API and refused requests, with their clients.
final class ControlAudit: Sendable {
    /// A series of posts of captions or metadata, many a second.
    private struct Stream: Hashable {
        var channel: String
        var requester: String
        var isOfCues: Bool
    }

    private struct State {
        var streams = OccurrenceLimit<Stream>(period: MediaTime(seconds: 60), capacity: 8192)
        var refusals = OccurrenceLimit<Int>(period: MediaTime(seconds: 10))
        var counts = [401: 0, 403: 0]
    }

    private let events: EventLog
    private let now: @Sendable () -> MediaTime
    private let logger: Logger
    private let state = Mutex(State())

    init(events: EventLog, now: @escaping @Sendable () -> MediaTime, logger: Logger) {
        (self.events, self.now, self.logger) = (events, now, logger)
    }

    /// Requests that were refused since the start, by status.
    var refusals: [Int: Int] { state.withLock { $0.counts } }

    /// Records a change of a channel's input selection.
    func changed(
        _ channel: String,
        by requester: Requester,
        from old: ChannelStatus.Selection,
        to command: SelectionCommand
    ) {
        note(channel, requester, "input selection from \(old.text) to \(command.text)")
    }

    /// Records a change of a channel's finished assets.
    func changed(_ channel: String, by requester: Requester, _ what: String) { note(channel, requester, what) }

    /// Records the accepted parts of a post to a channel.
    func changed(
        _ channel: String,
        by requester: Requester,
        _ contents: [ScheduleAction.Content],
        _ outcomes: [[ScheduleOutcome]]
    ) {
        let accepted = zip(contents, outcomes).filter { !$1.allSatisfy(\.isRefusal) }.map(\.0)
        guard let first = accepted.first else { return }
        var what = accepted.prefix(8).map(\.summary).joined(separator: "; ")
        if accepted.count > 8 { what += "; and \(accepted.count - 8) more" }
        if first.isOfStream {
            let stream = Stream(channel: channel, requester: requester.description, isOfCues: first.isOfCues)
            let suppressed = state.withLock { $0.streams.admit(stream, at: now()) }
            guard let suppressed else { return log(channel, requester, what) }
            if suppressed > 0 { what += "; \(suppressed) more posts like it in the last minute or so" }
        }
        note(channel, requester, what)
    }

    /// Records an answer with 401 or 403.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - request: Method and path, without a query.
    ///   - requester: Its client; unknown fields are nil.
    func refused(_ status: Int, _ request: String, of requester: Requester) {
        let suppressed = state.withLock { state in
            state.counts[status, default: 0] += 1
            return state.refusals.admit(status, at: now())
        }
        guard let suppressed else { return }
        let others = suppressed == 0 ? "" : ", and \(suppressed) before it that are not listed"
        let message = "The control API refused \(request) of \(requester) (\(status))\(others)."
        append(ChannelEvent.allChannels, .accessRefused, message)
        logger.warning(
            "control API refused a request",
            metadata: [
                "request": "\(request)", "status": .number(status), "who": "\(requester.who)",
                "from": "\(requester.from)",
                "others": .number(suppressed), "viewers": "they notice nothing",
                "do": "check control-tokens, and who can reach the address of control",
            ]
        )
    }

    /// Records a change that failed.
    func failed(_ status: Int, _ request: String, of requester: Requester) {
        logger.notice(
            "control API answered with an error",
            metadata: [
                "request": "\(request)", "status": .number(status), "who": "\(requester.who)",
                "from": "\(requester.from)",
            ]
        )
    }

    private func note(_ channel: String, _ requester: Requester, _ what: String) {
        append(channel, .command, "Changed by \(requester): \(what).")
        log(channel, requester, what)
    }

    private func log(_ channel: String, _ requester: Requester, _ what: String) {
        logger.notice(
            "changed through the control API",
            metadata: [
                "channel": "\(channel)", "who": "\(requester.who)", "from": "\(requester.from)", "what": "\(what)",
            ]
        )
    }

    private func append(_ channel: String, _ kind: ChannelEvent.Kind, _ message: String) {
        events.append(ChannelEvent(time: now(), channel: channel, kind: kind, message: message))
    }
}

extension ChannelStatus.Selection {
    fileprivate var text: String { "\(input ?? "no input") (\(mode.rawValue))" }
}

extension SelectionCommand {
    fileprivate var text: String {
        switch self {
        case .automatic: "automatic"
        case .select(let input, let hold): "\(input) (\(hold ? "held" : "until the next loss or failback"))"
        }
    }
}

extension ScheduleAction.Content {
    /// True for posts that programs make all the time.
    fileprivate var isOfStream: Bool {
        switch self {
        case .cues, .metadata: true
        case .dateRange, .update, .withdrawal, .splice: false
        }
    }

    fileprivate var isOfCues: Bool { if case .cues = self { true } else { false } }

    /// The change in a few words; long IDs of clients are cut.
    fileprivate var summary: String {
        switch self {
        case .cues(let language, let cues): "\(cues.count) cues in \(language.prefix(40)) posted"
        case .dateRange(let range, _): "date range \(range.id.prefix(80)) posted"
        case .update(let range): "date range \(range.id.prefix(80)) changed"
        case .withdrawal(let id, _): "date range \(id.prefix(80)) removed"
        case .splice(_, let time): "splice posted for \(time.iso8601)"
        case .metadata(_, let time): "metadata posted for \(time.iso8601)"
        }
    }
}
