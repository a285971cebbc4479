import ContentProtection
import Foundation
package import Logging
import MediaCore
import NIOCore
import Playlists
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
    package let clock: any UTCClock
    private let logger: Logger
    private let mirror: DirectoryMirror?
    private let state: Mutex<State>
    private let repairs = Mutex(RepairLog())
    /// Signalled when a stored input may go on reading.
    private let progress = NSCondition()

    private struct State: ~Copyable {
        var opened: [Int: [InputTrack]] = [:]
        var firstOpened: MediaTime?
        var places: [[Int]] = []
        var plans: [RenditionPlan] = []
        var segmenter: Segmenter?
        var packagers: [RenditionPackager] = []
        var renditions: [RenditionID?] = []
        var isDeclared = false
        /// The newest UTC that each unpaced input has reached: the clock of a channel of stored feeds.
        var reached: [Int: MediaTime] = [:]
        var endedInputs: Set<Int> = []
        var isStopped = false
        var inputBytes = 0
    }

    /// How long a channel waits for its other inputs once one is there.
    private static let patience = MediaTime(seconds: 10)

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - presentation: Where its slots are published.
    ///   - clock: UTC.
    ///   - mirror: Where the same bytes go as files; nil if nowhere.
    ///   - logger: Receives what an operator should know.
    package init(
        configuration: Configuration,
        presentation: Presentation,
        clock: any UTCClock,
        mirror: DirectoryMirror?,
        logger: Logger
    ) {
        self.configuration = configuration
        self.presentation = presentation
        self.clock = clock
        self.mirror = mirror
        var logger = logger
        logger[metadataKey: "channel"] = "\(configuration.name)"
        self.logger = logger
        state = Mutex(State())
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - index: Below the configured count of inputs, each once.
    ///   - pace: Whether it comes as it is made or is read from storage.
    package func makeInput(_ index: Int, pace: InputPace) -> ChannelInput {
        ChannelInput(
            channel: self,
            index: index,
            source: configuration.clock,
            pace: pace,
            grid: configuration.grid
        )
    }

    /// Whether samples are to come with their subsamples.
    var wantsSubsamples: Bool {
        if case .sampleAES = configuration.encryption { true } else { false }
    }

    /// What the channel has had to repair, by kind, and the bytes that its inputs have delivered.
    package var statistics: (repairs: [String: Int], inputBytes: Int) {
        (repairs.withLock { $0.totals }, state.withLock { $0.inputBytes })
    }
}

// MARK: - Events

extension Channel {
    /// Time went by: slots that are lost are published as gaps. To be called several times a second.
    package func timeAdvanced() {
        let now = clock.now
        state.withLock { state in
            if state.segmenter == nil, let first = state.firstOpened, now - first > Self.patience { start(&state) }
            if configuration.isPaced { advance(&state, to: now) }
            if configuration.isPaced { presentation.tick(now: now) }
            mirrorChanges()
        }
        for (kind, count) in repairs.withLock({ $0.due(at: now) }) {
            logger.warning(
                "feed repaired",
                metadata: ["repair": "\(kind)", "count": "\(count)", "what": "\(RepairLog.explanation(of: kind))"]
            )
        }
    }

    /// Lets inputs that wait for others go, because the process is to end.
    package func stop() {
        progress.lock()
        state.withLock { $0.isStopped = true }
        progress.broadcast()
        progress.unlock()
    }

    /// An input is open: finds its tracks' places in the channel.
    func inputOpened(_ input: Int, tracks: [InputTrack]) -> [(track: InputTrack, place: Int)] {
        for track in tracks {
            guard case .unsupported(let codec) = track.codec else { continue }
            report("track \(track.index) is left out: codec \(codec) is not supported")
        }
        let usable = tracks.filter { if case .unsupported = $0.codec { false } else { true } }
        if usable.isEmpty { report("the input has neither H.264 video nor AAC audio") }
        let now = clock.now
        state.withLock { state in
            if state.segmenter == nil {
                state.firstOpened = state.firstOpened ?? now
                if !usable.isEmpty { state.opened[input] = usable }
                if state.opened.count == configuration.inputCount { start(&state) }
            } else if state.places.indices.contains(input) {
                state.segmenter?.inputRestarted(tracks: state.places[input])
            }
        }
        wait { $0.segmenter != nil }
        logger.info(
            "input open",
            metadata: ["input": "\(input)", "tracks": "\(usable.map { "\($0.codec)" }.joined(separator: " "))"]
        )
        return state.withLock { state in
            guard state.places.indices.contains(input) else { return [] }
            var free = state.places[input]
            return usable.compactMap { track in
                // A reopened container may number its tracks differently: the nth of a kind is the nth of that kind.
                guard let next = free.firstIndex(where: { state.plans[$0].kind == track.kind }) else { return nil }
                return (track, free.remove(at: next))
            }
        }
    }

    /// An input broke off.
    func inputLost(_ input: Int, reason: String) {
        logger.warning("input lost", metadata: ["input": "\(input)", "reason": "\(reason)"])
        state.withLock { state in
            guard state.places.indices.contains(input) else { return }
            state.segmenter?.inputRestarted(tracks: state.places[input])
        }
    }

    /// A finite input has come to its end; the channel ends with the last of them.
    func inputEnded(_ input: Int) {
        logger.info("input ended", metadata: ["input": "\(input)"])
        signalProgress { state in
            state.endedInputs.insert(input)
            guard state.endedInputs.count == configuration.inputCount else { return }
            let slots = state.segmenter?.ended() ?? []
            publish(slots, &state)
            presentation.end(now: clock.now)
            mirrorChanges()
        }
    }

    /// A sample has its place on the timeline.
    func received(
        _ sample: Sample,
        input: Int,
        track: Int,
        configuration codec: CodecConfiguration,
        utcOffset: MediaTime,
        arrival: MediaTime
    ) {
        let utc = sample.presentationTime + utcOffset
        state.withLock { state in
            state.inputBytes += sample.payload.readableBytes
            guard
                let slots = state.segmenter?.received(
                    sample,
                    track: track,
                    configuration: codec,
                    utcOffset: utcOffset,
                    arrival: configuration.isPaced ? arrival : nil
                )
            else { return }
            if !slots.isEmpty { publish(slots, &state) }
            guard !configuration.isPaced else { return }
            state.reached[input] = max(state.reached[input] ?? utc, utc)
        }
        guard !configuration.isPaced else { return }
        followStoredMedia(input, utc: utc)
    }

    /// Says something about an input that an operator should know.
    func report(_ problem: String) {
        logger.warning("input problem", metadata: ["problem": "\(problem)"])
    }

    /// Counts a repair.
    func record(_ repair: String) {
        repairs.withLock { $0.record(repair) }
    }
}

// MARK: - Stored feeds

extension Channel {
    /// Unpaced inputs are each other's clock: none runs far ahead, and what all have passed is waited for no longer.
    private func followStoredMedia(_ input: Int, utc: MediaTime) {
        let lead = configuration.grid.slotDuration * 4
        signalProgress { state in
            let running = state.places.indices.filter { !state.endedInputs.contains($0) }
            let slowest = running.map { state.reached[$0] ?? .zero }.min() ?? utc
            advance(&state, to: slowest - configuration.grid.slotDuration * 2)
        }
        guard configuration.inputCount > 1 else { return }
        wait { state in
            let others = state.places.indices.filter { $0 != input && !state.endedInputs.contains($0) }
            let slowest = others.map { state.reached[$0] ?? .zero }.min()
            return slowest.map { utc <= $0 + lead } ?? true
        }
    }

    /// Blocks a stored input's thread until it may go on; a paced one is never held up.
    private func wait(until condition: @Sendable (borrowing State) -> Bool) {
        guard !configuration.isPaced || configuration.inputCount > 1 else { return }
        let deadline = Date(timeIntervalSinceNow: Self.patience.seconds)
        progress.lock()
        defer { progress.unlock() }
        while !state.withLock({ $0.isStopped || condition($0) }) {
            if configuration.isPaced, !progress.wait(until: deadline) { return }
            if !configuration.isPaced { progress.wait() }
        }
    }

    private func signalProgress(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
        guard configuration.inputCount > 1 else { return }
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}

// MARK: - Publishing

extension Channel {
    /// All inputs are open, or enough waited for: the channel's tracks are those that are there now.
    private func start(_ state: inout State) {
        var audio = configuration.audio.makeIterator()
        for input in 0..<configuration.inputCount {
            var places: [Int] = []
            for track in state.opened[input] ?? [] {
                let override = track.kind == .audio ? audio.next() : nil
                places.append(state.plans.count)
                let language = override?.language ?? track.language
                state.plans.append(
                    RenditionPlan(
                        kind: track.kind,
                        language: language,
                        name: override?.name,
                        frameRate: track.frameRate
                    )
                )
                state.packagers.append(
                    RenditionPackager(kind: track.kind, language: language, encryption: configuration.encryption)
                )
            }
            if places.isEmpty { report("input \(input) did not open in time: the channel starts without it") }
            state.places.append(places)
        }
        guard !state.plans.isEmpty else { return }
        state.segmenter = Segmenter(grid: configuration.grid, tracks: state.plans.map(\.kind))
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }

    private func advance(_ state: inout State, to now: MediaTime) {
        guard let slots = state.segmenter?.timeAdvanced(to: now), !slots.isEmpty else { return }
        publish(slots, &state)
    }

    private func publish(_ slots: [Slot], _ state: inout State) {
        for repair in state.segmenter?.takeRepairs() ?? [] { record(repair.rawValue) }
        for slot in slots {
            do {
                try publish(slot, &state)
            } catch {
                logger.critical("slot not published", metadata: ["slot": "\(slot.number)", "error": "\(error)"])
            }
        }
    }

    private func publish(_ slot: Slot, _ state: inout State) throws {
        declareRenditions(for: slot, &state)
        var segments: [RenditionID: PublishedSegment] = [:]
        for (index, cut) in slot.segments.enumerated() {
            guard let cut, let id = state.renditions[index] else { continue }
            segments[id] = try state.packagers[index].package(cut)
        }
        if let schedule = configuration.encryption.schedule {
            presentation.setSessionKeys(try sessionKeys(schedule, slot.number, state.plans))
        }
        try presentation.publish(
            PublishedSlot(
                number: slot.number,
                startsDiscontinuity: slot.startsDiscontinuity,
                segments: segments
            ),
            now: now(at: slot)
        )
        mirrorChanges()
        logger.debug(
            "slot published",
            metadata: [
                "slot": "\(slot.number)",
                "gaps": "\(segments.values.count { $0.media == nil })",
                "discontinuity": "\(slot.startsDiscontinuity)",
            ]
        )
    }

    /// The time that segments expire by: what is read as fast as can be has its own.
    private func now(at slot: Slot) -> MediaTime {
        configuration.isPaced ? clock.now : configuration.grid.start(of: slot.number.next)
    }

    /// The renditions are declared with the first slot and again when a decoder configuration has changed.
    private func declareRenditions(for slot: Slot, _ state: inout State) {
        guard !state.isDeclared || slot.startsDiscontinuity, let segmenter = state.segmenter else { return }
        let configurations = state.plans.indices.map { segmenter.configuration(of: $0) }
        let descriptions = RenditionPlan.describe(state.plans, configurations: configurations)
        if state.isDeclared {
            // Names are for the channel's life: a new configuration changes what is said, not where it is found.
            let renamed = zip(descriptions, state.renditions).map { description, id in
                var description = description
                if let id { description?.id = id }
                return description
            }
            presentation.declare(renditions: renamed.compactMap(\.self))
        } else {
            state.renditions = descriptions.map { $0?.id }
            presentation.declare(renditions: descriptions.compactMap(\.self))
            for index in state.plans.indices where descriptions[index] == nil {
                report("track \(index) has sent nothing: the channel starts without it")
            }
            state.isDeclared = true
        }
    }

    /// What players may fetch before they need it: the keys of this crypto period and the next.
    private func sessionKeys(
        _ schedule: KeySchedule,
        _ number: MediaSequenceNumber,
        _ plans: [RenditionPlan]
    ) throws -> [EncryptionKey] {
        let current = schedule.period(of: number)
        let periods = schedule.slotsPerPeriod == nil ? [current] : [current, CryptoPeriod(current.index + 1)]
        let kinds = [TrackKind.video, .audio].filter { kind in plans.contains { $0.kind == kind } }
        return try periods.flatMap { period in
            try kinds.compactMap { configuration.encryption.playlistKey(try schedule.keys(for: period, $0)) }
        }
    }

    private func mirrorChanges() {
        guard let mirror else { return }
        if !mirror.apply(presentation.takeChanges()) { record(RepairLog.mirrorOverrun) }
    }
}
