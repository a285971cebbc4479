import ContentProtection
import Logging
import MediaCore
import Operations
package import Playlists
import Timeline

/// Decides all that a channel decides: which track of which input becomes what, what fills each slot, who is on air, and
/// what an operator is told.
///
/// Events go in, actions come out, and the same events at the same times give the same actions: there is no lock, no
/// clock and no I/O in it. What an action says is final: viewers get it, and nothing that comes later changes it.
package struct ChannelEngine: Sendable {
    package let configuration: Configuration
    /// The inputs that were added, sorted by ``InputID``.
    var feeds: [Feed] = []
    /// Where inputs lie that are placed by their arrival, as far as they may share an encoder.
    var clocks = ArrivalClocks()
    /// Where the backups lie relative to their inputs, by position.
    var alignments: [Int: InputAlignment] = [:]
    var segmenter: Segmenter
    /// What each track of the segmenter becomes, by its place there.
    var renditions: [Rendition] = []
    /// The places that belong to each position.
    var positions: [Int: [TrackIndex]] = [:]
    /// The feed that an operator holds each position to.
    var held: [Int: InputID] = [:]
    /// The client that has chosen last, by position.
    var choosers: [Int: String] = [:]
    var firstOpened: MediaTime?
    /// Whether the channel has its tracks; those that come later join.
    package internal(set) var hasStarted = false
    /// Where a peer is waited for.
    var joining: Joining?
    /// Slots up to it are not this packager's to publish.
    var newestBefore: MediaSequenceNumber?
    /// Whether renditions have to be declared before the next slot, whatever it has.
    var mustDeclare = false
    package internal(set) var isEnded = false
    /// Audio tracks of the feeds by position.
    var audioTrackCounts: [Int: Int] = [:]
    /// Positions of inputs that carry timed metadata.
    var positionsWithTags: Set<Int> = []
    var programme: Programme
    /// Cues that came before the channel had its tracks, by the subtitles that they belong to.
    var heldCues: [Int: [Cue]] = [:]
    /// When the inputs were last looked after.
    var judged = MediaTime.zero
    var clockWatch = ClockWatch()
    var ladderWatch = LadderWatch()
    var repairs = RepairLog()
    /// How the channel was when its inputs were last looked after; nil before.
    package internal(set) var latestStatus: Status?
    var keys: ChannelKeys
    /// Decides what depends on what was published before.
    var ledger: PublicationLedger
    /// What was decided, and is held back until keys are there.
    var waiting: [Waiting] = []
    /// Whether a slot was decided on.
    var hasDecided = false
    /// Why playlists are refused.
    private var failures: [FailureCondition] = []
    /// Bytes of the samples that the inputs have delivered.
    package internal(set) var receivedBytes = 0
    /// When the event that is being handled happened.
    var now = MediaTime.zero
    private var actions: [Action] = []

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - length: That of playlists, where memory does not shorten them; nil if they never lose a slot.
    ///   - longestRun: How many slots without media are published in a row at most, where more are due at once.
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

    /// Something happened.
    ///
    /// - Parameters:
    ///   - event: What.
    ///   - reading: When, as the channel's clock and the machine's have it.
    /// - Returns: What is to be done about it, in order.
    package mutating func handle(_ event: Event, at reading: ClockReading) -> [Action] {
        now = reading.utc
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
            feeds[feed(input).value].unreadable.insert(track)
            report("track \(track) is left out: \(problem)", input: input)
        case .examined(let input, let finding): feeds[feed(input).value].health.examined(finding)
        case .timeAdvanced(let failures): timeAdvanced(failures, wallClock: reading.wallClock)
        case .selected(let input, let holds, let client): select(input, holds: holds, by: client)
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
        defer { actions = [] }
        return actions
    }
}

// MARK: - Actions

extension ChannelEngine {
    /// Something is to be done, once what was decided before it is.
    mutating func act(_ step: Waiting.Step) { waiting.append(Waiting(step: step, decidedAt: now)) }

    /// Something is to be done at once.
    mutating func emit(_ action: Action) { actions.append(action) }

    private mutating func report(_ report: Report) { emit(.report(report)) }

    /// What is to be said after something else was done rather than now.
    mutating func deferred(_ body: (inout ChannelEngine) -> Void) -> [Report] {
        let count = actions.count
        body(&self)
        defer { actions.removeSubrange(count...) }
        return actions[count...].compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    mutating func log(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:]) {
        report(.log(level, message, metadata))
    }

    /// Says something about an input, with the URL of its feed.
    mutating func log(_ level: Logger.Level, _ message: String, _ input: InputID, _ metadata: Logger.Metadata) {
        var metadata = metadata
        metadata["input"] = "\(input)"
        if let name = configuration.feedNames[input] { metadata["feed"] = "\(name)" }
        log(level, message, metadata)
    }

    /// Puts something on record.
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

    /// Says something about an input that an operator should know.
    mutating func report(_ problem: String, input: InputID) {
        log(.warning, "input problem", input, ["problem": "\(problem)"])
        note(.inputProblem, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).", input: input)
    }

    /// Says something that an input does each time it is opened.
    mutating func reportOnce(_ problem: String, _ feed: FeedIndex) {
        if feeds[feed.value].said.insert(problem).inserted { report(problem, input: feeds[feed.value].id) }
    }

    /// Says what was repaired, of each kind and input once a minute, and the first time what to do about it.
    mutating func logRepairs(at now: MediaTime) {
        for repair in repairs.due(at: now) {
            let advice = RepairAdvice(on: repair.kind)
            var metadata: Logger.Metadata = [
                "kind": "\(repair.kind)", "count": .number(repair.count), "what": "\(advice.what)",
            ]
            // What it means does not change from minute to minute.
            if repair.isFirst {
                metadata["viewers"] = "\(advice.viewers)"
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
    /// Slots that are lost are published as gaps, and the operator hears of what changed.
    private mutating func timeAdvanced(_ failures: [FailureCondition], wallClock: MediaTime) {
        // What is wrong for a second is told within it.
        if abs((now - judged).ticks) >= MediaTime.timescale / 4 {
            judged = now
            watchClock(wallClock)
            watchSilence()
            judgeInputs()
            if configuration.isPaced { tellAbsences() }
            requestFirstKeys()
            noteFailures(failures)
            programme.expire(at: now)
        }
        if configuration.isPaced {
            advance(to: now)
            checkJoining()
        }
        if !hasStarted, mayStart { start() }
        logRepairs(at: now)
    }

    mutating func advance(to time: MediaTime) {
        guard !isEnded else { return }
        decide(segmenter.timeAdvanced(to: time))
    }

    /// Puts on record where playlists are refused from now on, and where they are served again.
    private mutating func noteFailures(_ failures: [FailureCondition]) {
        guard failures != self.failures else { return }
        self.failures = failures
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        if failures.isEmpty {
            note(.endpoint, "Playlists are served again.", severity: .info)
        } else {
            note(.endpoint, "Playlists are answered 503: \(conditions).", severity: .error)
        }
        log(.warning, failures.isEmpty ? "playlists served again" : "playlists refused", ["for": "\(conditions)"])
    }

    /// A clock that was set is told, and not followed.
    private mutating func watchClock(_ wallClock: MediaTime) {
        guard let news = clockWatch.observe(now, wallClock: wallClock) else { return }
        note(.clock, news)
        log(.error, "clock", ["what": "\(news)"])
    }
}
