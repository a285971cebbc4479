import Foundation
package import Logging
import MediaCore
package import Presentation
import Synchronization
package import Timeline

/// One channel: takes what its inputs read, cuts it into slots, and publishes each slot for all renditions at once.
///
/// The decisions are the ``Segmenter``'s and the presentation's; this is the driver around them. It outlives its
/// inputs: nothing that they deliver, and no silence of theirs, ends it.
package final class Channel: Sendable {
    package let configuration: Configuration
    package let presentation: Presentation
    /// Whether its public face may be served.
    package let endpoint: EndpointHealth
    package let clock: any UTCClock
    let events: EventLog
    let logger: Logger
    let mirror: (any PublicationMirror)?
    let state: Mutex<State>
    /// By ``InputID``, once they are made.
    let inputs = Mutex<[InputID: ChannelInput]>([:])
    /// Where inputs lie that are placed by their arrival, as far as they may share an encoder.
    let clocks = SharedClocks()
    /// How many places there have been: where there is a new one, an input that stands by may have something for it.
    let placeCount = Atomic(0)
    private let repairs = Mutex(RepairLog())
    /// What others are told, who must not wait until a slot is muxed and on the disk: no other lock is taken under it.
    let snapshot = Mutex(Snapshot())
    /// Bytes of the samples that the inputs have delivered.
    let receivedBytes = Atomic(0)
    /// Where stored inputs wait for others.
    ///
    /// Its lock is never taken while ``state`` is held.
    let progress = NSCondition()
    /// Whether the process is to end: what is under way is left as it is, whatever lock it holds.
    let isStopped = Atomic(false)

    struct Snapshot {
        /// As it was when the inputs were last looked after; nil before.
        var status: Status?
        var isJoining = false
    }

    struct State: ~Copyable {
        /// The tracks of each input that has been open.
        var opened: [InputID: [InputTrack]] = [:]
        var firstOpened: MediaTime?
        /// Whether the channel has its tracks; those that come later join.
        var hasStarted = false
        /// What each of the channel's tracks is to become, by place.
        var plans: [RenditionPlan] = []
        /// The places that belong to each position.
        var positions: [Int: [Int]] = [:]
        /// The places that each feed's tracks have in the channel, by the container's track index.
        var places: [InputID: [Int: Int]] = [:]
        /// Renditions of an earlier run that no input has claimed yet, by place.
        var restored: [Int: RestoredRendition] = [:]
        /// Places whose renditions have left the playlists, and that no track has claimed since.
        var left: Set<Int> = []
        /// Where a twin is waited for.
        var joining: Joining?
        /// Slots up to it are not this packager's to publish.
        var newestOfTwin: MediaSequenceNumber?
        /// Whether renditions have to be declared before the next slot, whatever it has.
        var mustDeclare = false
        var segmenter: Segmenter
        /// By place; nil for a track that has had no media.
        var packagers: [RenditionPackager?] = []
        /// By place; nil for a track that has had no media.
        var renditions: [RenditionID?] = []
        /// What has filled the newest slot, by place.
        var onAir: [OnAir] = []
        /// The input that an operator has chosen and that is not on air yet, by place.
        var chosen: [Int: InputID] = [:]
        /// The feed that an operator holds each position to.
        var held: [Int: InputID] = [:]
        /// The newest UTC that each unpaced input has reached: the clock of a channel of stored feeds.
        var reached: [InputID: MediaTime] = [:]
        var connected: Set<InputID> = []
        var endedInputs: Set<InputID> = []
        var isEnded = false
        var memoryWatch = MemoryWatch()
        /// Why an input has nothing to give, as far as that is known.
        var shortcomings: [InputID: String] = [:]
        /// Why playlists are refused.
        var failures: [FailureCondition] = []
        /// When the inputs were last looked after.
        var judged = MediaTime.zero
        /// What has been said of an input, and need not be said again.
        var said: [InputID: Set<String>] = [:]
        /// Audio tracks of the feeds by position.
        var soundCounts: [Int: Int] = [:]
        /// What the newest media of each place is decoded with: ``PublishedSegment/fingerprint``.
        var fingerprints: [Int: String] = [:]
        /// Places whose sound is in the CODECS of the video that carries it.
        var declaredSounds: Set<Int> = []
        /// Timed metadata that waits for its slot.
        var tags: [InputID: TimedTags] = [:]
        /// Positions of inputs that carry timed metadata.
        var positionsWithTags: Set<Int> = []
        /// Whether the newest slot could not be published as it was.
        var hasFailedToPublish = false
        /// Places of which no segment could be written yet: no rendition is made of them.
        var unwritable: Set<Int> = []
        var clockWatch = ClockWatch()
        var ladderWatch = LadderWatch()
    }

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - presentation: Where its slots are published.
    ///   - endpoint: Told of everything that decides whether playlists are served.
    ///   - clock: UTC.
    ///   - mirror: Where the same bytes go as files; nil if nowhere.
    ///   - events: Receives what an operator should know of, for the record.
    ///   - logger: Receives what an operator should know.
    package init(
        configuration: Configuration,
        presentation: Presentation,
        endpoint: EndpointHealth = EndpointHealth(),
        clock: any UTCClock,
        mirror: (any PublicationMirror)?,
        events: EventLog = EventLog(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.presentation = presentation
        self.endpoint = endpoint
        self.clock = clock
        self.mirror = mirror
        self.events = events
        var logger = logger
        logger[metadataKey: "channel"] = "\(configuration.name)"
        self.logger = logger
        state = Mutex(
            State(
                segmenter: Segmenter(
                    grid: configuration.grid,
                    failback: configuration.failback,
                    filler: configuration.filler,
                    longestRun: presentation.configuration.longestRun
                )
            )
        )
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - id: One of the configured, each once.
    ///   - pace: Whether it comes as it is made or is read from storage.
    /// - Returns: What the reader of that input delivers to.
    package func makeInput(_ id: InputID, pace: InputPace) -> ChannelInput {
        inputs.withLock { inputs in
            // Only what arrives as it is made has an arrival that can be compared, and one backup is aligned.
            let isAligned = configuration.clock == .arrival && pace == .live && id.rank <= 1
            let other = inputs.first { $0.key.position == id.position && $0.key.rank == 1 - id.rank }?.value
            let alignment = isAligned && configuration.backupCount > 0 ? other?.alignment ?? InputAlignment() : nil
            // A backup is placed relative to its input, not to the others.
            let clocks = id.rank == 0 ? clocks : SharedClocks()
            let input = ChannelInput(channel: self, id: id, pace: pace, alignment: alignment, clocks: clocks)
            inputs[id] = input
            return input
        }
    }

    /// Whether samples are to come with their subsamples.
    var wantsSubsamples: Bool {
        configuration.encryption.isOfSamples && configuration.carriage.format == .fragmentedMP4
    }

    /// Bytes of the samples that the inputs have delivered.
    package var inputBytes: Int { receivedBytes.load(ordering: .relaxed) }

    /// What a channel that has ended by itself could not make anything of: inputs that had no media, and why.
    package var shortcomings: [(input: InputID, reason: String)] {
        state.withLock { state in
            guard state.isEnded else { return [] }
            let isEmpty = state.renditions.allSatisfy { $0 == nil }
            return configuration.inputs.filter { isEmpty || !state.hasSamples(of: $0) }
                .map { ($0, state.shortcomings[$0] ?? "it has no media that a stream could begin with") }
        }
    }

    /// Time went by: slots that are lost are published as gaps.
    ///
    /// To be called several times a second.
    package func timeAdvanced() {
        let now = clock.now
        // What is wrong for a second is told within it.
        let isDue = state.withLock { state in
            guard abs((now - state.judged).ticks) >= MediaTime.timescale / 4 else { return false }
            state.judged = now
            return true
        }
        if isDue {
            watchClock()
            judgeInputs(at: now)
        }
        let hasStarted = state.withLock { state in
            if configuration.isPaced {
                advance(&state, to: now)
                checkJoining(&state, at: now)
                presentation.tick(now: now)
            }
            mirror?.follow(presentation)
            guard !state.hasStarted, mayStart(state, at: now) else { return false }
            start(&state)
            return true
        }
        if hasStarted { wakeInputs() }
        logRepairs(at: now)
    }

    /// Lets inputs that wait for others go, because the process is to end.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        presentation.stop()
        wakeInputs()
    }

    /// Says something about an input that an operator should know.
    func report(_ problem: String, input: InputID) {
        logger.warning("input problem", metadata: ["input": "\(input)", "problem": "\(problem)"])
        note(.inputProblem, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).", input: input)
    }

    /// Puts something on record.
    func note(
        _ kind: ChannelEvent.Kind,
        _ message: String,
        input: InputID? = nil,
        rendition: RenditionID? = nil,
        slot: MediaSequenceNumber? = nil
    ) {
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: configuration.name,
                kind: kind,
                input: input?.description,
                rendition: rendition,
                slot: slot,
                message: message
            )
        )
    }

    /// Counts a repair.
    func record(_ repair: String) {
        repairs.withLock { $0.record(repair) }
    }

    func logRepairs(at now: MediaTime) {
        for (kind, count) in repairs.withLock({ $0.due(at: now) }) {
            logger.warning(
                "\(RepairLog.headline(of: kind))",
                metadata: ["kind": "\(kind)", "count": "\(count)", "what": "\(RepairLog.explanation(of: kind))"]
            )
        }
    }
}
