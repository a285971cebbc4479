import Archive
import Dispatch
import Files
import MediaCore
import NIOCore
import Presentation
import Recording
import Synchronization

/// Fills the holes of a recording from that of the other member of a pair, while the channel runs.
final class RecordingHealing: Sendable {
    private let recording: Recording
    private let clock: any UTCClock
    /// The time after its end for which a slot is left alone.
    private let patience: MediaTime
    private let budget: HealingBudget
    private let note: @Sendable (HealingEvent) -> Void
    /// Waits for the next time.
    private let sleep: @Sendable (Duration) async throws -> Void
    private let plan: Mutex<HealingPlan>
    private let isClosed = Mutex(false)
    /// Looking for holes and filling them waits for the disk.
    private let queue = DispatchQueue(label: "recording.healing", qos: .utility)

    /// The time that a slot may be published late: some of its length, and more than players wait for.
    static func patience(ofSlots segmentDuration: MediaTime) -> MediaTime {
        max(segmentDuration * 3, MediaTime(seconds: 10))
    }

    /// - Parameters:
    ///   - recording: The recording.
    ///   - clock: UTC.
    ///   - patience: The time after its end for which a slot is left alone: it may still be published, or the peer may
    ///     not give it yet.
    ///   - budget: The bytes that may be taken from peers.
    ///   - limits: The times, sizes and counts.
    ///   - note: Gets events for the operator.
    ///   - sleep: Waits.
    init(
        _ recording: Recording,
        _ clock: any UTCClock,
        patience: MediaTime,
        budget: HealingBudget,
        limits: HealingLimits = HealingLimits(),
        note: @escaping @Sendable (HealingEvent) -> Void,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.recording, self.clock, self.patience, self.budget) = (recording, clock, patience, budget)
        (self.note, self.sleep) = (note, sleep)
        plan = Mutex(HealingPlan(segmentDuration: recording.segmentDuration, limits: limits))
    }

    /// The state of healing.
    var status: HealingStatus { plan.withLock { $0.status } }

    /// Requests missing slots from the peer; returns once it is cancelled or closed.
    func run(with peer: some RecordingPeer) async {
        while !Task.isCancelled, !isClosed.withLock({ $0 }) {
            let step = nextStep()
            for event in plan.withLock({ $0.takeEvents() }) { note(event) }
            guard await take(step, peer) else { return }
        }
    }

    /// Writes nothing from now on, so that the recording can be closed.
    func close() async {
        isClosed.withLock { $0 = true }
        await queue.run {}
    }

    /// The time on a clock that is never set, which all recordings have in common.
    private var now: MediaTime { MediaTime(ContinuousClock.now - Self.start) }
    private static let start = ContinuousClock.now

    private func nextStep() -> HealingPlan.Step {
        let (reach, now) = (recording.healingReach(at: clock.now, patience: patience), now)
        return plan.withLock { plan in plan.next(reach, at: now) { budget.reserve($0, at: now) } }
    }

    /// Carries out a step of the plan.
    ///
    /// - Returns: False if it must end.
    private func take(_ step: HealingPlan.Step, _ peer: some RecordingPeer) async -> Bool {
        switch step {
        case .wait(let time): return (try? await sleep(Duration(time))) != nil
        case .examine(let numbers):
            let holes = await queue.run { [recording] in try? recording.holes(in: numbers) }
            plan.withLock { $0.found(holes, in: numbers) }
        case .ask(let numbers): await ask(peer, for: numbers)
        case .fetch(let file): await fetch(file, from: peer)
        case .insert(let slot, let bodies, let declaration):
            let error = await queue.run { [self] in insert(slot, bodies, declaration) }
            plan.withLock { $0.inserted(error, at: now) }
        }
        return true
    }

    private func ask(_ peer: some RecordingPeer, for numbers: Range<MediaSequenceNumber>) async {
        switch await peer.slots(in: numbers) {
        case .body(let json):
            budget.spend(json.readableBytes - HealingPlan.answerByteCount, at: now)
            let answer = await queue.run { try? RecordedSlots(json: json) }
            plan.withLock { plan in
                if let answer {
                    plan.answered(answer, of: numbers, at: now)
                } else {
                    plan.misunderstood("its answer cannot be read", at: now)
                }
            }
        case .nothing(let reason):
            plan.withLock { $0.failed("it offers no recording: \(reason)", at: now) }
        case .silence(let reason): plan.withLock { $0.failed(reason, at: now) }
        }
    }

    private func fetch(_ file: HealedFile, from peer: some RecordingPeer) async {
        if file.isInitialization, await has(file) { return plan.withLock { $0.received(nil) } }
        switch await peer.media(file.path) {
        case .body(let body):
            budget.spend(body.readableBytes - (file.byteCount ?? HealingPlan.initializationByteCount), at: now)
            // Its digest takes a while, in which no task waits for a thread.
            await queue.run { [self] in plan.withLock { $0.received(body) } }
        case .nothing(let reason): plan.withLock { $0.refused(reason) }
        case .silence(let reason): plan.withLock { $0.failed(reason, at: now) }
        }
    }

    /// Returns true if the recording has an initialization section already.
    private func has(_ file: HealedFile) async -> Bool {
        await queue.run { [recording] in
            let body = try? recording.body(file.path)
            return body?.entityTag == file.entityTag
        }
    }

    private func insert(
        _ slot: ListedSlot,
        _ bodies: [String: ByteBuffer],
        _ declaration: Declaration?
    ) -> RecordingError? {
        // Another process may have the recording by now.
        if isClosed.withLock({ $0 }) { return .outside(slot.number) }
        do throws(RecordingError) {
            try recording.insert(slot, bodies: bodies, declaration: declaration)
            return nil
        } catch {
            return error
        }
    }
}
