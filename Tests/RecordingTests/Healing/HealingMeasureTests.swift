import Files
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

/// Healing leaves alone what viewers have, and asks, tries and tells in measure.
@Suite(.timeLimit(.minutes(5))) struct HealingMeasureTests {
    private static let numbers = HealingPlanTests.numbers
    private static func number(_ index: Int) -> MediaSequenceNumber { HealingPlanTests.number(index) }

    // MARK: What viewers have

    /// Live viewers have the line of a slot that the disk did not take: other bytes below its path are not for them.
    @Test func aSlotThatWasNotWrittenIsLeftAloneWhileViewersHaveIt() throws {
        let whole = try HealingPlanTests.whole.get()
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 400)
        try channel.publish(count: 300)
        channel.finish()
        disk.state.withLock { $0.failure = EIO }
        try channel.publish()
        channel.finish()
        disk.state.withLock { $0.failure = nil }
        try channel.publish(count: 9)
        channel.finish()
        var simulation = HealingSimulation(channel.recording, from: whole)
        try simulation.run()
        #expect(simulation.asked.isEmpty && simulation.plan.status == HealingStatus(missing: 1))
        try channel.publish(count: 300)
        channel.finish()
        try simulation.run()
        #expect(simulation.plan.status == HealingStatus(filled: 1))
    }

    // MARK: Measure

    @Test func theBudgetIsThatOfAll() {
        let budget = HealingBudget(bytesPerSecond: 1000)
        #expect(budget.reserve(500, at: .zero) == nil)
        // Another channel has to wait as well.
        #expect(budget.reserve(1, at: .zero) == MediaTime(milliseconds: 500))
        #expect(budget.reserve(1, at: MediaTime(milliseconds: 499)) == MediaTime(milliseconds: 500))
        #expect(budget.reserve(3000, at: MediaTime(milliseconds: 500)) == nil)
        #expect(budget.reserve(0, at: MediaTime(milliseconds: 600)) == MediaTime(milliseconds: 3500))
        // What was more than was asked for is counted as well.
        budget.spend(500, at: MediaTime(milliseconds: 600))
        budget.spend(-500, at: MediaTime(milliseconds: 600))
        #expect(budget.reserve(1, at: MediaTime(milliseconds: 3999)) == MediaTime(milliseconds: 4000))
    }

    /// Carries a plan out with holes and answers that a test makes, for some hours.
    private static func run(
        _ plan: inout HealingPlan,
        until end: MediaTime,
        found: (Range<MediaSequenceNumber>, MediaTime) -> [RecordedHole]?,
        extent: () -> Range<MediaSequenceNumber>
    ) -> (looks: Int, questions: Int) {
        let reach = HealingReach(numbers: numbers, served: numbers.upperBound)
        var (now, looks, questions) = (MediaTime.zero, 0, 0)
        while now < end {
            switch plan.next(reach, at: now, reserve: { _ in nil }) {
            case .wait(let time): now += time
            case .examine(let numbers):
                looks += 1
                plan.found(found(numbers, now), in: numbers)
            case .ask(let numbers):
                if !numbers.isEmpty { questions += 1 }
                let known = extent()
                let told = RecordedSlots(
                    segmentDuration: MediaTime(seconds: 4),
                    extent: known,
                    numbers: numbers.clamped(to: known),
                    slots: []
                )
                plan.answered(told, of: numbers, at: now)
            case .fetch, .insert: Issue.record("the peer has nothing")
            }
        }
        return (looks, questions)
    }

    private static func holes(
        _ indices: [Int],
        in numbers: Range<MediaSequenceNumber>
    ) -> [RecordedHole] {
        indices.map { number($0) }.filter { numbers.contains($0) }.map { RecordedHole(number: $0, renditions: nil) }
    }

    @Test func aPeerThatSaysSomethingElseEachTimeIsAskedInMeasure() {
        var plan = HealingPlan(segmentDuration: MediaTime(seconds: 4))
        var answers = 0
        let (looks, questions) = Self.run(&plan, until: MediaTime(seconds: 6000)) { numbers, _ in
            Self.holes([100, 400], in: numbers)
        } extent: {
            answers += 1
            return Self.number(0)..<Self.number(1_000_000 - answers)
        }
        #expect(questions < 60 && looks < 400, "\(questions) questions, \(looks) looks")
        let events = plan.takeEvents()
        #expect(events.count < 60, "\(events.count)")
    }

    @Test func whatCannotBeReadIsLookedAtAgain() {
        var plan = HealingPlan(segmentDuration: MediaTime(seconds: 4))
        let (looks, questions) = Self.run(&plan, until: MediaTime(seconds: 2000)) { numbers, now in
            now < MediaTime(seconds: 200) ? nil : Self.holes([400], in: numbers)
        } extent: {
            Self.numbers
        }
        #expect(questions == 1 && looks < 20, "\(looks)")
    }

    @Test func manySmallHolesAreToldInFewMessages() {
        var plan = HealingPlan(segmentDuration: MediaTime(seconds: 4))
        _ = Self.run(&plan, until: MediaTime(seconds: 60)) { numbers, _ in
            Self.holes([10, 100, 200, 300, 400, 500, 560, 580], in: numbers)
        } extent: {
            Self.numbers
        }
        #expect(plan.takeEvents().count <= 3)
        #expect(plan.status == HealingStatus(missing: 8))
    }

    @Test func aDiskThatTakesNothingIsTriedLessAndLess() throws {
        let whole = try HealingPlanTests.whole.get()
        let holed = try HealingPlanTests.recording(300, away: [100..<103])
        var plan = HealingPlan(segmentDuration: whole.segmentDuration)
        let utc = MediaTime(seconds: (RecordedChannel.first + 1_000_000) * 4)
        let reach = holed.healingReach(at: utc, patience: .zero)
        let error = RecordingError.failed(FileError(operation: "write", path: "video.media", code: ENOSPC))
        var (now, times) = (MediaTime.zero, [MediaTime]())
        while times.count < 10 {
            switch plan.next(reach, at: now, reserve: { _ in nil }) {
            case .wait(let time): now += time
            case .examine(let numbers): plan.found(try holed.holes(in: numbers), in: numbers)
            case .ask(let numbers): plan.answered(try whole.recordedSlots(in: numbers), of: numbers, at: now)
            case .fetch(let file): plan.received(try whole.bytes(file.path))
            case .insert:
                times.append(now)
                plan.inserted(error, at: now)
            }
        }
        let pauses = zip(times.dropFirst(), times).map { ($0 - $1).ticks / MediaTime.timescale }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 120, 120])
        #expect(plan.takeEvents() == [.interrupted(missing: 3, reason: error.description)])
        #expect(plan.status == HealingStatus(missing: 3, problem: error.description))
    }

    @Test func aProblemIsOverOnceNothingWaitsForThePeer() {
        var plan = HealingPlan(segmentDuration: MediaTime(seconds: 4))
        var (reach, now) = (HealingReach(numbers: Self.numbers, served: Self.numbers.upperBound), MediaTime.zero)
        while plan.status.problem == nil {
            switch plan.next(reach, at: now, reserve: { _ in nil }) {
            case .wait(let time): now += time
            case .examine(let numbers): plan.found(Self.holes([10], in: numbers), in: numbers)
            case .ask: plan.failed("no connection", at: now)
            case .fetch, .insert: Issue.record("nothing was told")
            }
        }
        #expect(plan.status == HealingStatus(missing: 1, problem: "no connection"))
        // The hole is no longer kept.
        reach.numbers = Self.number(20)..<Self.number(600)
        _ = plan.next(reach, at: now + MediaTime(seconds: 600)) { _ in nil }
        #expect(plan.status == HealingStatus())
    }
}
