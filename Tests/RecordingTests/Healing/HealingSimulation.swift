import MediaCore
import NIOCore
import Presentation
import Recording
import TestSupport

/// A plan that is carried out at once, on a clock by hand, with a peer that fails as a test says.
struct HealingSimulation {
    /// A failure of the peer.
    enum Fault {
        /// The peer does not answer.
        case silence
        /// The peer has none of the slots that it listed.
        case nothing
        /// The peer sends other bytes.
        case garbage
    }

    let own: Recording
    let peer: Recording
    let budget: HealingBudget
    var plan: HealingPlan
    var now = MediaTime.zero
    /// The time of day, long after the last slot.
    var utc = MediaTime(seconds: (RecordedChannel.first + 1_000_000) * 4)
    /// The ranges that the peer was asked for, but for empty ones.
    private(set) var asked: [Range<MediaSequenceNumber>] = []
    /// The bytes that were fetched.
    private(set) var byteCount = 0
    private(set) var events: [HealingEvent] = []
    /// The most bytes that were fetched before their time.
    private(set) var haste = 0

    init(
        _ own: Recording,
        from peer: Recording,
        bytesPerSecond: Int = 1 << 20,
        change: (inout HealingLimits) -> Void = { _ in }
    ) {
        var limits = HealingLimits()
        change(&limits)
        (self.own, self.peer) = (own, peer)
        budget = HealingBudget(bytesPerSecond: bytesPerSecond)
        plan = HealingPlan(segmentDuration: own.segmentDuration, limits: limits)
    }

    /// The plan goes on and on.
    struct Endless: Error {}

    /// Does what the plan decides on until it has had nothing to do for a while.
    ///
    /// - Parameter fault: Returns the failure of a step; nil if it succeeds.
    /// - Throws: ``Endless`` if the plan does not come to an end.
    mutating func run(_ fault: (HealingPlan.Step) -> Fault? = { _ in nil }) throws {
        asked = []
        var waits = 0
        for _ in 0..<200_000 {
            let (time, budget) = (now, budget)
            let reach = own.healingReach(at: utc, patience: MediaTime(seconds: 10))
            let step = plan.next(reach, at: time) { budget.reserve($0, at: time) }
            events += plan.takeEvents()
            if case .wait(let duration) = step {
                now += duration
                waits += 1
                // It looks at the newest slots more often than that.
                if waits == 15 { return }
            } else {
                waits = 0
                try take(step, fault(step))
            }
        }
        throw Endless()
    }

    private mutating func take(_ step: HealingPlan.Step, _ fault: Fault?) throws {
        switch step {
        case .wait: break
        case .examine(let numbers): plan.found(try own.holes(in: numbers), in: numbers)
        case .ask(let numbers):
            if !numbers.isEmpty { asked.append(numbers) }
            switch fault {
            case .silence?, .nothing?: plan.failed("no answer", at: now)
            case .garbage?: plan.misunderstood("garbage", at: now)
            case nil:
                plan.answered(try RecordedSlots(json: try peer.recordedSlots(in: numbers).json()), of: numbers, at: now)
            }
        case .fetch(let file):
            // All that was fetched until now has had its time.
            haste = max(haste, byteCount - Int(now.seconds * Double(1 << 20)))
            switch fault {
            case .silence?: plan.failed("no answer", at: now)
            case .nothing?: plan.refused("status 404")
            case .garbage?: plan.received(ByteBuffer(string: "garbage"))
            case nil:
                let body = try peer.bytes(file.path)
                byteCount += body?.readableBytes ?? 0
                if let body { plan.received(body) } else { plan.refused("status 404") }
            }
        case .insert(let slot, let bodies, let declaration):
            do throws(RecordingError) {
                try own.insert(slot, bodies: bodies, declaration: declaration)
                plan.inserted(nil, at: now)
            } catch {
                plan.inserted(error, at: now)
            }
        }
    }
}

extension Set {
    /// Nil for an empty set.
    var nonempty: Self? { isEmpty ? nil : self }
}
