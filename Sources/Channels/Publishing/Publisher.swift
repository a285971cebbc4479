import ContentProtection
import Dispatch
import Logging
import MediaCore
import Operations
import Packaging
import Playlists
import Presentation
import Segmenting
import Timeline

/// Carries out the decisions of an engine: has segments written, lists them, and reports the results.
///
/// One thread at a time uses the publisher and may wait for a disk; threads that bring events to the engine never wait.
struct Publisher {
    let configuration: ChannelEngine.Configuration
    let encryption: ChannelEncryption
    let presentation: Presentation
    let clock: any UTCClock
    let reporter: Reporter
    /// True if the key frames of published segments are wanted for thumbnails.
    let keepsKeyFrames: Bool
    let writers: RenditionWriters
    /// The renditions that were declared to the presentation.
    var declared: [RenditionDescription] = []
    /// True once anything was listed.
    var hasBegun = false
    /// True if the newest slot could not be published as it was.
    var hasFailed = false
    var memoryWatch = MemoryWatch()
    /// The time of the decision that is being carried out.
    var decidedAt = DispatchTime.now()
    /// The events for the engine that result.
    var feedback: [ChannelEngine.Event] = []

    /// The actions that follow from one event.
    struct Batch: Sendable {
        /// The number of the batch, counted from 1.
        var number: Int
        var actions: [ChannelEngine.Action]
        /// True if parts that were decided after it wait for it.
        var isAwaitedByParts: Bool
        /// The window of the peer, if it is about to be taken over.
        var windowOfPeer: RestoredWindow?
        var decidedAt: DispatchTime
    }

    init(
        configuration: ChannelEngine.Configuration,
        encryption: ChannelEncryption,
        presentation: Presentation,
        clock: any UTCClock,
        reporter: Reporter,
        keepsKeyFrames: Bool,
        writers: RenditionWriters
    ) {
        self.configuration = configuration
        self.encryption = encryption
        self.presentation = presentation
        self.clock = clock
        self.reporter = reporter
        self.keepsKeyFrames = keepsKeyFrames
        self.writers = writers
    }

    /// Carries out actions in order.
    ///
    /// - Parameters:
    ///   - batch: The actions that follow from one event.
    ///   - isStopped: Asked before each action, since the process may be told to end.
    /// - Returns: The events that result, for the engine.
    mutating func perform(_ batch: Batch, unless isStopped: () -> Bool) -> [ChannelEngine.Event] {
        defer { feedback = [] }
        decidedAt = batch.decidedAt
        // After a long outage there may be many slots.
        presentation.renderOnce {
            for action in batch.actions {
                if isStopped() { return }
                perform(action, batch)
            }
        }
        // Playlists are in place by now.
        if batch.isAwaitedByParts { writers.carriedOut(batch.number) }
        noteMemory()
        return feedback
    }

    private mutating func perform(_ action: ChannelEngine.Action, _ batch: Batch) {
        switch action {
        case .report(let report): reporter.report(report)
        // The thread that delivers the event has already carried these out.
        case .requestKeys, .publishPart: break
        case .publish(let slots): publish(run: slots)
        case .announceKeys(let announcement): announce(announcement)
        case .takeOverPeer(let time): if let window = batch.windowOfPeer { restore(window, now: time) }
        case .end: end()
        }
    }

    /// Ends the playlists: no slot will follow.
    func end() {
        presentation.end(now: clock.now)
    }

    // MARK: Windows and reports

    /// Lists the window of an earlier run, or of a peer, again.
    ///
    /// - Returns: The number of slots that are listed.
    @discardableResult
    mutating func restore(_ window: RestoredWindow, now: MediaTime) -> Int {
        let count = presentation.restore(window, now: now)
        hasBegun = window.window.firstNumber != nil
        declared = window.window.renditions
        return count
    }

    /// Warns of bandwidth that is set for names without a variant: one may be misspelt, or its rendition only late.
    func warnOfIdlePins(among renditions: [RenditionDescription]) {
        let (pinned, leaders) = presentation.idlePins(among: renditions)
        guard !pinned.isEmpty else { return }
        reporter.logger.warning(
            "bandwidth names renditions that do not exist yet",
            metadata: [
                "renditions": "\(pinned.map(\.name).joined(separator: ", "))",
                "variants": "\(leaders.map(\.name).joined(separator: ", "))",
                "viewers": "players choose by the bandwidth that is measured",
                "do": "nothing if they are still to come; else correct their names in bandwidth",
            ]
        )
    }

    /// Reports early that memory will not do, with the consequences.
    mutating func noteMemory() {
        switch memoryWatch.observe(presentation.memoryUse) {
        case .scarce(let problem):
            note(.memory, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).")
            reporter.logger.warning(
                "memory is scarce",
                metadata: [
                    "what": "\(problem)",
                    "viewers": "players far behind the live edge get 404, or the playlist becomes shorter: see what",
                    "do": "raise maximum-memory, shorten window, or set state",
                ]
            )
        case .enough:
            note(
                .memory,
                "The window, and older segments that players may still request, fit into maximum-memory again.",
                severity: .info
            )
            reporter.logger.notice("memory is enough again")
        case nil: break
        }
    }

    func note(
        _ kind: ChannelEvent.Kind,
        _ message: String,
        severity: ChannelEvent.Severity? = nil,
        input: InputID? = nil,
        renditions: [RenditionID] = [],
        slot: MediaSequenceNumber? = nil
    ) {
        reporter.events.append(
            ChannelEvent(
                time: clock.now,
                channel: configuration.name,
                kind: kind,
                severity: severity,
                input: input?.description,
                renditions: renditions,
                slot: slot,
                message: message
            )
        )
    }
}
