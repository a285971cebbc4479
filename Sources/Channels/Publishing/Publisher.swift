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

/// Does what an engine has decided: has segments written, lists them, and says what came of it.
///
/// It is used by one thread at a time, which may wait here for a disk; whoever has something to tell the engine does not.
struct Publisher {
    let configuration: ChannelEngine.Configuration
    let encryption: ChannelEncryption
    let presentation: Presentation
    let clock: any UTCClock
    let reporter: Reporter
    /// Whether viewers of thumbnails want the key frames of what is published.
    let keepsKeyFrames: Bool
    let makeWriter: RenditionWriter.Factory
    /// The renditions that the presentation was told of.
    var told: [RenditionDescription] = []
    var writers: [RenditionID: RenditionWriter] = [:]
    /// True once anything was listed.
    var hasBegun = false
    /// Whether the newest slot could not be published as it was.
    var hasFailed = false
    var memoryWatch = MemoryWatch()
    /// When that was decided which is being done.
    var decidedAt = DispatchTime.now()
    /// What the engine has to hear of.
    var feedback: [ChannelEngine.Event] = []

    /// What follows from one event.
    struct Batch: Sendable {
        var actions: [ChannelEngine.Action]
        /// What the peer lists, where that is to be taken over.
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
        makeWriter: @escaping RenditionWriter.Factory
    ) {
        self.configuration = configuration
        self.encryption = encryption
        self.presentation = presentation
        self.clock = clock
        self.reporter = reporter
        self.keepsKeyFrames = keepsKeyFrames
        self.makeWriter = makeWriter
    }

    /// Does one thing after the other.
    ///
    /// - Parameters:
    ///   - batch: What follows from one event.
    ///   - isStopped: Asked before each of them, for the process may be told to end.
    /// - Returns: What the engine has to hear of.
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
        noteMemory()
        return feedback
    }

    private mutating func perform(_ action: ChannelEngine.Action, _ batch: Batch) {
        switch action {
        case .report(let report): reporter.report(report)
        // Whoever brings the event asks at once.
        case .requestKeys: break
        // What is listed so far are segments: their slots bring all that their parts have.
        case .publishPart: break
        case .publish(let slots): publish(run: slots)
        case .announceKeys(let announcement): announce(announcement)
        case .takeOverPeer(let time): if let window = batch.windowOfPeer { restore(window, now: time) }
        case .end: end()
        }
    }

    /// No slot will follow.
    func end() {
        presentation.end(now: clock.now)
    }

    // MARK: What viewers have

    /// Lists again what an earlier run, or a peer, has published.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    mutating func restore(_ window: RestoredWindow, now: MediaTime) -> Int {
        let count = presentation.restore(window, now: now)
        hasBegun = window.window.firstNumber != nil
        told = window.window.renditions
        return count
    }

    /// A name that is misspelt pins nothing; but what it is the name of may only be late.
    func warnOfIdlePins(among renditions: [RenditionDescription]) {
        let (pinned, leaders) = presentation.idlePins(among: renditions)
        guard !pinned.isEmpty else { return }
        reporter.logger.warning(
            "bandwidth is set for what no variant is named after so far",
            metadata: [
                "renditions": "\(pinned.map(\.name).joined(separator: ", "))",
                "variants": "\(leaders.map(\.name).joined(separator: ", "))",
            ]
        )
    }

    /// Says early that memory will not do, and what becomes of it.
    mutating func noteMemory() {
        switch memoryWatch.observe(presentation.memoryUse) {
        case .scarce(let problem):
            note(.memory, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).")
            reporter.logger.warning("memory is scarce", metadata: ["what": "\(problem)"])
        case .enough:
            note(.memory, "Window and retention fit into maximum-memory again.", severity: .info)
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
