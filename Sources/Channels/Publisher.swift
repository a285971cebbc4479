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
    let endpoint: EndpointHealth
    let clock: any UTCClock
    let reporter: Reporter
    let makeWriter: RenditionWriter.Factory
    /// What the engine wants viewers to have.
    private var declared: [RenditionDescription] = []
    /// Of that, what no input has any more, and nothing that is listed is media of.
    private var left: Set<RenditionID> = []
    /// Of that, what no segment could be written of yet.
    private var unwritable: Set<RenditionID> = []
    /// What the presentation was told.
    private var told: [RenditionDescription] = []
    private var writers: [RenditionID: RenditionWriter] = [:]
    /// What the newest media of each rendition is decoded with: ``PublishedSegment/fingerprint``.
    private var fingerprints: [RenditionID: String] = [:]
    /// Whether the newest slot could not be published as it was.
    private var hasFailed = false
    private var memoryWatch = MemoryWatch()
    /// When that was decided which is being done.
    private var decidedAt = DispatchTime.now()
    /// What the engine has to hear of.
    private var feedback: [ChannelEngine.Event] = []

    /// What follows from one event.
    struct Batch: Sendable {
        var steps: [Step]
        var decidedAt: DispatchTime
    }

    /// One thing to do.
    enum Step: Sendable {
        case declare([RenditionDescription], isNew: Bool)
        case publish([ChannelEngine.SlotDecision])
        case dropForsaken([RenditionID])
        case restore(RestoredWindow)
        case end
    }

    init(
        configuration: ChannelEngine.Configuration,
        encryption: ChannelEncryption,
        presentation: Presentation,
        endpoint: EndpointHealth,
        clock: any UTCClock,
        reporter: Reporter,
        makeWriter: @escaping RenditionWriter.Factory
    ) {
        self.configuration = configuration
        self.encryption = encryption
        self.presentation = presentation
        self.endpoint = endpoint
        self.clock = clock
        self.reporter = reporter
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
            for step in batch.steps {
                if isStopped() { return }
                perform(step)
            }
        }
        noteMemory()
        return feedback
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .declare(let renditions, let isNew):
            declared = renditions
            declare()
            if isNew { warnOfIdlePins() }
        case .publish(let slots): publish(run: slots)
        case .dropForsaken(let renditions): drop(renditions.filter(presentation.isForsaken))
        case .restore(let window): restore(window)
        case .end:
            presentation.end(now: clock.now)
            endpoint.ended()
        }
    }

    // MARK: What viewers have

    /// Lists again what an earlier run, or a peer, has published.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    mutating func restore(_ window: RestoredWindow) -> Int {
        let count = presentation.restore(window, now: clock.now)
        (declared, told) = (window.window.renditions, window.window.renditions)
        // What comes may be decoded otherwise than what is there.
        for rendition in window.window.renditions where count > 0 {
            fingerprints[rendition.id] = window.window.edge(of: rendition.id)?.fingerprint
        }
        if let newest = window.window.lastNumber, count > 0 {
            endpoint.restored(until: configuration.grid.start(of: newest.next))
        }
        return count
    }

    private mutating func declare() {
        let ids = Set(declared.map(\.id))
        left.formIntersection(ids)
        unwritable.formIntersection(ids)
        for id in writers.keys where !ids.contains(id) { forget(id) }
        let renditions = declared.filter { !left.contains($0.id) && !unwritable.contains($0.id) }
        guard renditions != told else { return }
        told = renditions
        presentation.declare(renditions: renditions)
    }

    private mutating func forget(_ id: RenditionID) {
        (writers[id], fingerprints[id]) = (nil, nil)
    }

    /// Leaves out renditions that would be gaps for ever.
    private mutating func drop(_ forsaken: [RenditionID]) {
        for id in forsaken where left.insert(id).inserted {
            forget(id)
            feedback.append(.left(id))
            reporter.logger.notice("rendition left", metadata: ["rendition": "\(id)", "why": "no input has it"])
            note(
                .tracks,
                "No input has it, and its last media is out of the window: it has left the playlists.",
                rendition: id
            )
        }
    }

    /// A name that is misspelt pins nothing; but what it is the name of may only be late.
    private func warnOfIdlePins() {
        let (pinned, leaders) = presentation.idlePins(among: told)
        guard !pinned.isEmpty else { return }
        reporter.logger.warning(
            "bandwidth is set for what no variant is named after so far",
            metadata: [
                "renditions": "\(pinned.map(\.name).joined(separator: ", "))",
                "variants": "\(leaders.map(\.name).joined(separator: ", "))",
            ]
        )
    }

    // MARK: Slots

    /// Publishes one slot, or several that are nothing but gaps.
    private mutating func publish(run decisions: [ChannelEngine.SlotDecision]) {
        guard let last = decisions.last else { return }
        let slots = decisions.map { write($0) }
        if let schedule = encryption.schedule {
            let keys = Result { try sessionKeys(schedule, last) }
            if case .success(let keys) = keys { presentation.setSessionKeys(keys) }
            endpoint.setKeys(available: (try? keys.get()) != nil)
        }
        // What is read as fast as it can be has a time of its own to expire by.
        let now = configuration.isPaced ? clock.now : configuration.grid.start(of: last.number.next)
        guard append(slots, at: now), let newest = slots.last else { return }
        endpoint.slotPublished(newest, withdrawn: last.withdrawn, now: now)
        for (decision, slot) in zip(decisions, slots) {
            if slot.startsDiscontinuity {
                note(.discontinuity, "The decoder configuration of a rendition has changed.", slot: slot.number)
            }
            for note in decision.notes { reporter.report(note) }
            let gaps = slot.segments.values.count { $0.media == nil }
            reporter.logger.debug("slot published", metadata: ["slot": "\(slot.number)", "gaps": "\(gaps)"])
        }
    }

    /// Has a slot's segments written, all renditions side by side.
    private mutating func write(_ decision: ChannelEngine.SlotDecision) -> PublishedSlot {
        var slot = PublishedSlot(
            number: decision.number,
            followsLeap: decision.followsLeap,
            startsDiscontinuity: decision.startsDiscontinuity,
            segments: [:]
        )
        let begun = decision.segments.map { segment in
            (segment, segment.contents.cut.isGap ? nil : writer(for: segment).begin(segment.contents))
        }
        let deadline = deadline
        for (segment, outcome) in begun {
            let cut = segment.contents.cut
            switch cut.isGap ? nil : outcome?.wait(until: deadline) ?? .failure(SegmentLate()) {
            case nil: slot.segments[segment.id] = PublishedSegment(gap: cut)
            case .success(let written)?:
                if let fingerprint = written.fingerprint {
                    let before = fingerprints.updateValue(fingerprint, forKey: segment.id)
                    if let before, before != fingerprint { slot.startsDiscontinuity = true }
                }
                slot.segments[segment.id] = written
                if written.media != nil {
                    unwritable.remove(segment.id)
                    left.remove(segment.id)
                }
            case .failure(let error)?:
                // The other renditions and the slots to come must not suffer for it.
                slot.segments[segment.id] = PublishedSegment(gap: cut)
                failed(segment, error)
            }
        }
        declare()
        for id in unwritable.union(left) { slot.segments[id] = nil }
        return slot
    }

    /// Until when the slowest segment of a slot is waited for; what is stored can wait.
    ///
    /// A new version of a playlist comes no later than 1.5 target durations after the one before (RFC 8216bis § 6.2.2):
    /// counted from when the slot was decided, so that a rendition that is always slow does not make the channel later
    /// and later. After that a quarter of a slot is left for those that are not.
    private var deadline: DispatchTime {
        guard configuration.isPaced else { return .distantFuture }
        let slot = configuration.grid.slotDuration.milliseconds
        let latest = Int64(configuration.grid.targetDuration) * 1_500 - slot
        return max(decidedAt + .milliseconds(Int(latest)), .now() + .milliseconds(Int(slot / 4)))
    }

    private mutating func writer(for segment: ChannelEngine.SlotDecision.Segment) -> RenditionWriter {
        if let writer = writers[segment.id], writer.form == segment.form { return writer }
        let writer = RenditionWriter(segment.form, id: segment.id, makeWriter)
        writers[segment.id] = writer
        return writer
    }

    /// A rendition of which no segment can be written keeps the others from nothing: it is left out until one can.
    private mutating func failed(_ segment: ChannelEngine.SlotDecision.Segment, _ error: any Error) {
        let isListed = presentation.hasMedia(of: segment.id) || error is SegmentLate
        feedback.append(.notWritten(segment.id, isListed: isListed))
        // What is late is a gap; that it can be written is not in doubt.
        guard !isListed else { return }
        // Where it carries audio that may be the reason: the engine tries each by itself.
        if segment.form.carriesAudio {
            writers[segment.id] = nil
        } else if unwritable.insert(segment.id).inserted {
            let input = declared.first { $0.id == segment.id }?.input ?? 0
            let problem = "\(segment.id) is left out until it can be written: \(error)"
            reporter.logger.warning(
                "input problem",
                metadata: ["input": "\(InputID.input(input))", "problem": "\(problem)"]
            )
            note(.inputProblem, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).", input: .input(input))
        }
    }

    /// What players may fetch before they need it: the keys of this crypto period and the next.
    private func sessionKeys(
        _ schedule: KeySchedule,
        _ decision: ChannelEngine.SlotDecision
    ) throws -> [EncryptionKey] {
        let current = schedule.period(of: decision.number)
        let periods = schedule.slotsPerPeriod == nil ? [current] : [current, current.next]
        let kinds = [TrackKind.video, .audio].filter(decision.kinds.contains)
        return try periods.flatMap { period in
            try kinds.compactMap { encryption.playlistKey(try schedule.keys(for: period, $0)) }
        }
    }

    // MARK: What follows what is listed

    /// Appends slots to what is listed; those that cannot follow one by one.
    ///
    /// - Returns: Whether viewers get the last of them.
    private mutating func append(_ slots: [PublishedSlot], at now: MediaTime) -> Bool {
        do throws(PublicationError) {
            try presentation.publish(run: slots, now: now)
            hasFailed = false
            return true
        } catch {
            return slots.reduce(false) { append($1, at: now) }
        }
    }

    /// Appends a slot to what is listed; one that cannot follow costs no more than gaps.
    ///
    /// - Returns: Whether viewers get it.
    private mutating func append(_ slot: PublishedSlot, at now: MediaTime) -> Bool {
        do throws(PublicationError) {
            try presentation.publish(slot, now: now)
            return true
        } catch {
            do throws(PublicationError) {
                switch error {
                case .outOfSequence(let expected, let found) where expected < found:
                    let gaps = try presentation.bridge(to: found, now: now)
                    let effect =
                        gaps.map { "\($0) gaps stand for the slots from \(expected) on" } ?? "the window begins anew"
                    reportFailure("slot \(found) follows \(expected.previous): \(effect)", slot.number)
                    try presentation.publish(slot, now: now)
                    return true
                case .outOfSequence(let expected, _):
                    reportFailure("it was published before; the next is \(expected)", slot.number)
                case .renditionsDiffer:
                    reportFailure("\(error): a gap stands for it", slot.number)
                    _ = try presentation.bridge(to: slot.number.next, now: now)
                    told = []
                case .ended:
                    break
                }
            } catch {
                reportFailure("\(error)", slot.number)
            }
            return false
        }
    }

    /// Says that a slot could not be published as it was, once until one can.
    private mutating func reportFailure(_ what: String, _ number: MediaSequenceNumber) {
        guard !hasFailed else { return }
        hasFailed = true
        reporter.logger.error("slot not published as it was", metadata: ["slot": "\(number)", "what": "\(what)"])
        note(.gap, "The slot could not be published as it was: \(what).", slot: number)
    }

    /// Says early that memory will not do, and what becomes of it.
    private mutating func noteMemory() {
        switch memoryWatch.observe(presentation.memoryUse) {
        case .scarce(let problem):
            note(.memory, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).")
            reporter.logger.warning("memory is scarce", metadata: ["what": "\(problem)"])
        case .enough:
            note(.memory, "Window and retention fit into maximum-memory again.")
            reporter.logger.notice("memory is enough again")
        case nil: break
        }
    }

    private func note(
        _ kind: ChannelEvent.Kind,
        _ message: String,
        input: InputID? = nil,
        rendition: RenditionID? = nil,
        slot: MediaSequenceNumber? = nil
    ) {
        reporter.events.append(
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
}

/// A segment that was not written in time.
private struct SegmentLate: Error, CustomStringConvertible {
    var description: String { "it was not written in time" }
}
