import ContentProtection
import Logging
import MediaCore
import Operations
package import Playlists
import Timeline

/// Makes all decisions of a channel: the renditions, the content of each slot, the inputs on air, and the reports.
///
/// Events go in, actions come out, and the same events at the same times give the same actions: the engine has no lock,
/// no clock and no I/O. Actions are final: viewers get their content, and later events do not change it.
package struct ChannelEngine: Sendable {
    package let configuration: Configuration
    var inputs = InputTable()
    var choices = InputChoices()
    var segmenter: Segmenter
    /// The renditions of the segmenter's tracks, by their places there.
    var renditions = RenditionTable()
    var programme: Programme
    /// The return to a peer, while one is waited for.
    var joining: Joining?
    var keys: ChannelKeys
    /// The decisions that depend on earlier publications.
    var ledger: PublicationLedger
    var outbox = Outbox()
    var watches = Watches()
    /// The time, in UTC, of the event that is being handled.
    var now = MediaTime.zero
    /// The time, in UTC, of the first event; nil before.
    private(set) var startedAt: MediaTime?

    /// - Parameters:
    ///   - configuration: The configuration, which is fixed for the channel's life.
    ///   - length: The length of playlists, if memory does not shorten them; nil if they never lose a slot.
    ///   - longestRun: The most slots without media that are published in a row if more are due at once.
    package init(configuration: Configuration, length: WindowLength? = nil, longestRun: Int = .max) {
        self.configuration = configuration
        ledger = PublicationLedger(configuration, length: length)
        keys = ChannelKeys(configuration)
        programme = Programme(configuration)
        segmenter = Segmenter(
            grid: configuration.grid,
            failback: configuration.failback,
            filler: configuration.filler,
            horizon: configuration.horizon,
            longestRun: longestRun
        )
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - reading: The time of the event, as the channel's clock and the machine's have it.
    /// - Returns: The actions to carry out, in order.
    package mutating func handle(_ event: Event, at reading: ClockReading) -> [Action] {
        now = reading.utc
        startedAt = startedAt ?? now
        switch event {
        case .added(let input, let pace): add(input, pace)
        case .opened(let input, let tracks): opened(feed(input), tracks)
        case .began(let input, let tracks, let modulus): began(feed(input), tracks, modulus)
        case .packet(let input, let packet): received(packet, of: feed(input), wallClock: reading.wallClock)
        case .metadata(let input, let timestamp, let bytes): received(bytes, timestamp: timestamp, of: feed(input))
        case .cues(let subtitles, let cues): received(cues, of: subtitles)
        case .scheduled(let actions, let origin): received(actions, from: origin)
        case .splice(let input, let message): received(message, of: feed(input))
        case .lost(let input, let reason): lost(feed(input), reason)
        case .ended(let input): ended(feed(input))
        case .noticed(let input, let notice): noticed(notice, of: input)
        case .unreadable(let input, let track, let problem):
            inputs[feed(input)].unreadable.insert(track)
            report("track \(track) is left out: \(problem)", .leftOut, input: input)
        case .examined(let input, let finding): inputs[feed(input)].health.examined(finding)
        case .timeAdvanced(let failures): timeAdvanced(failures, wallClock: reading.wallClock)
        case .selected(let input, let holds, let client): select(input, holds: holds, by: client)
        case .kept(let input): keep(input)
        case .holdEnded(let input): endHold(of: input)
        case .selectedAutomatically(let client): selectAutomatically(by: client)
        case .inherited(let placements, let isRepeated): inherit(placements, isRepeated: isRepeated)
        case .resumed(let window): resume(window)
        case .joins(let window): beginJoining(window)
        case .peerPublished(let window): peerPublished(window)
        case .peerBegan(let slot): ledger.peerBegan(slot)
        case .passedOver(let slot): ledger.passedOver(slot)
        case .notWritten(let rendition, let slot, let fallback, let reason):
            notWritten(rendition, slot, fallback, because: reason)
        case .keysArrived(let period, let keys): keysArrived(keys, in: period)
        case .keysFailed(let period, let reason): keysFailed(reason, in: period)
        }
        releaseWaiting()
        return outbox.takeActions()
    }

    /// True if the end of the channel was decided on.
    package var isEnded: Bool { outbox.isEnded }
    /// The number of bytes of the samples that the inputs have delivered.
    package var receivedBytes: Int { inputs.receivedBytes }
    /// The state of the channel when its inputs were last looked after; nil before.
    package var latestStatus: Status? { watches.status }
}

// MARK: - Actions

extension ChannelEngine {
    /// Carries out a decision once those before it are.
    mutating func act(_ step: Waiting.Step) { outbox.hold(step, decidedAt: now) }

    /// Adds an action to carry out at once.
    mutating func emit(_ action: Action) { outbox.emit(action) }

    private mutating func report(_ report: Report) { emit(.report(report)) }

    /// Returns reports to make after something else was done rather than now.
    mutating func deferred(_ body: (inout ChannelEngine) -> Void) -> [Report] {
        let count = outbox.count
        body(&self)
        return outbox.takeReports(after: count)
    }

    mutating func log(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:]) {
        report(.log(level, message, metadata))
    }

    /// Logs something about an input, with the URL of its feed.
    mutating func log(_ level: Logger.Level, _ message: String, _ input: InputID, _ metadata: Logger.Metadata) {
        var metadata = metadata
        metadata["input"] = "\(input)"
        if let name = configuration.feedNames[input] { metadata["feed"] = "\(name)" }
        log(level, message, metadata)
    }

    /// Records an event.
    mutating func note(
        _ kind: ChannelEvent.Kind,
        _ message: String,
        severity: ChannelEvent.Severity? = nil,
        input: InputID? = nil,
        renditions: [RenditionID] = [],
        slot: MediaSequenceNumber? = nil
    ) {
        report(
            .record(
                ChannelEvent(
                    time: now,
                    channel: configuration.name,
                    kind: kind,
                    severity: severity,
                    input: input?.description,
                    renditions: renditions,
                    slot: slot,
                    message: message
                )
            )
        )
    }

    /// Reports something about an input that an operator should know.
    mutating func report(_ problem: String, _ advice: ProblemAdvice, input: InputID) {
        let metadata: Logger.Metadata = [
            "problem": "\(problem)", "viewers": "\(advice.viewers)", "do": "\(advice.remedy)",
        ]
        log(.warning, "input problem", input, metadata)
        note(.inputProblem, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).", input: input)
    }

    /// Reports a problem of an input, once.
    mutating func reportOnce(_ problem: String, _ advice: ProblemAdvice, _ feed: FeedIndex) {
        if inputs[feed].mustSay(problem) { report(problem, advice, input: inputs[feed].id) }
    }

    /// Logs repairs, for each kind and input once a minute, and the first time with the remedy.
    mutating func logRepairs(at now: MediaTime) {
        for repair in watches.repairs.due(at: now) {
            let advice = RepairAdvice(on: repair.kind)
            var metadata: Logger.Metadata = [
                "kind": "\(repair.kind)", "count": .number(repair.count), "what": "\(advice.what)",
            ]
            // The advice is the same each minute, so it is logged once, and again if viewers come to see the fault.
            let other = repair.input.flatMap(inputOnAir(inPlaceOf:))
            if watches.mustAdvise(on: repair, isSeen: other == nil) {
                metadata["viewers"] = "\(other.map { "they notice nothing while \($0) is on air" } ?? advice.viewers)"
                metadata["do"] = "\(advice.remedy)"
            }
            if let reason = repair.reason { metadata["reason"] = "\(reason)" }
            if let input = repair.input {
                log(.warning, advice.headline, input, metadata)
            } else {
                log(.warning, advice.headline, metadata)
            }
        }
    }
}

// MARK: - Time

extension ChannelEngine {
    /// Publishes lost slots as gaps, and reports changes.
    private mutating func timeAdvanced(_ failures: [FailureCondition], wallClock: MediaTime) {
        if watches.isDue(at: now) {
            watchClock(wallClock)
            // An input without key frames has repairs, and no slots.
            noteRepairsOfCuts()
            watchSilence()
            judgeInputs()
            if configuration.isPaced {
                reportAbsences()
                reportUnopened()
            }
            requestFirstKeys()
            noteFailures(failures)
            programme.expire(at: now)
        }
        if configuration.isPaced {
            advance(to: now)
            checkJoining()
        }
        if !inputs.hasStarted, mayStart { start() }
        logRepairs(at: now)
    }

    mutating func advance(to time: MediaTime) {
        guard !isEnded else { return }
        decide(segmenter.timeAdvanced(to: time))
    }

    /// Records which playlists are refused from now on, and which are served again.
    private mutating func noteFailures(_ failures: [FailureCondition]) {
        guard watches.refused(for: failures) else { return }
        if failures.isEmpty {
            note(.endpoint, "Playlists are served again.", severity: .info)
            return log(.notice, "playlists served again")
        }
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        note(.endpoint, "Playlists are answered 503: \(conditions).", severity: .error)
        let metadata: Logger.Metadata = [
            "for": "\(conditions)",
            "viewers":
                "players get 503 for playlists, and no new media unless a CDN or proxy uses another origin",
            "do": "act on the lines before this one; fail-on sets when playlists are refused",
        ]
        log(.error, "playlists refused", metadata)
    }

    /// Reports a machine's clock that was set; the channel does not follow it.
    private mutating func watchClock(_ wallClock: MediaTime) {
        guard let news = watches.compareClock(now, wallClock: wallClock) else { return }
        if watches.clockAgrees {
            note(.clock, news, severity: .info)
            return log(.notice, "the machine's clock agrees again", ["what": "\(news)"])
        }
        note(.clock, news)
        let metadata: Logger.Metadata = [
            "what": "\(news)", "viewers": "they notice nothing",
            "do": "let NTP set the clock of the machine, and restart the packager when nobody watches",
        ]
        log(.error, "the machine's clock was set", metadata)
    }
}
