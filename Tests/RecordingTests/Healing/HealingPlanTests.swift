import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

/// The decisions on what to take from the other member of a pair, on recordings in memory.
@Suite(.timeLimit(.minutes(5))) struct HealingPlanTests {
    private static let video = RecordedChannel.video
    private static let audio = RecordedChannel.audio

    /// Records a channel that is away at times, and lacks its audio at others.
    static func recording(
        _ count: Int = 600,
        away: [Range<Int>] = [],
        silent: [Range<Int>] = [],
        byteCount: Int = 0
    ) throws -> Recording {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        var index = 0
        while index < count {
            if let hole = away.first(where: { $0.contains(index) }) {
                try channel.skip(Int64(hole.upperBound - index))
                index = hole.upperBound
                continue
            }
            try channel.publish(
                gaps: silent.contains { $0.contains(index) } ? [audio] : [],
                period: Int64(index / 60),
                byteCount: byteCount
            )
            index += 1
        }
        channel.finish()
        return channel.recording
    }

    /// A recording that has all, which tests only read.
    static let whole = Result { try recording() }

    static let numbers = number(0)..<number(600)

    static func number(_ index: Int) -> MediaSequenceNumber {
        MediaSequenceNumber(RecordedChannel.first + Int64(index))
    }

    private static func holes(_ recording: Recording) throws -> [MediaSequenceNumber: Set<RenditionID>?] {
        let holes = try recording.holes(in: numbers)
        return Dictionary(uniqueKeysWithValues: holes.map { ($0.number, $0.renditions) })
    }

    @Test func allThatThePeerHasIsFilledIn() throws {
        let whole = try Self.whole.get()
        let holed = try Self.recording(away: [20..<31, 150..<450], silent: [500..<504])
        var simulation = HealingSimulation(holed, from: whole)
        try simulation.run()
        #expect(try Self.holes(holed).isEmpty)
        let status = simulation.plan.status
        #expect(status == HealingStatus(filled: 11 + 300 + 4))
        for id in [Self.video, Self.audio, Self.video.iFrames] {
            #expect(try holed.playlist(id, Self.numbers).segments == whole.playlist(id, Self.numbers).segments)
        }
        // The newest first; a block begins at 288.
        let filled = simulation.events.compactMap { event -> HealedSpan? in
            if case .filled(let span) = event { span } else { nil }
        }
        #expect(filled.count == simulation.events.count)
        #expect(filled.map(\.numbers.lowerBound) == [500, 288, 150, 20].map(Self.number))
        #expect(filled.map(\.count) == [4, 162, 138, 11])
        #expect(filled.last?.duration == MediaTime(seconds: 44))
        #expect(filled.last?.description == "slots \(Self.number(20)) to \(Self.number(30)) (44.0 s)")
    }

    /// Whatever fails in whatever order: in the end there is all that one of the two has, and nothing is asked for again
    /// that the peer lacks.
    @Test(arguments: (UInt64(0)..<12).map(\.self).oneIn(6)) func failuresOnlyTakeTime(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func ranges(_ length: Int) -> [Range<Int>] {
            let starts = stride(from: 20, to: 500, by: 120).map { $0 + Int.random(in: 0..<40, using: &generator) }
            return starts.map { $0..<$0 + Int.random(in: 1...length, using: &generator) }
        }
        let holed = try Self.recording(away: ranges(70), silent: ranges(20))
        let peer = try Self.recording(away: ranges(40), silent: ranges(40))
        let (before, lacking) = (try Self.holes(holed), try Self.holes(peer))
        var simulation = HealingSimulation(holed, from: peer) { limits in
            // None is given up.
            limits.attempts = .max
        }
        try simulation.run { _ in Int.random(in: 0..<4, using: &generator) == 0 ? .silence : nil }
        let after = try holed.holes(in: Self.numbers)
        let remaining = Dictionary(uniqueKeysWithValues: after.map { ($0.number, $0) })
        for (number, renditions) in before {
            let found = remaining[number]
            guard let missing = lacking[number] else {
                #expect(found == nil, "the peer has all of \(number)")
                continue
            }
            guard let missing, missing != [Self.video, Self.audio] else {
                #expect(found == RecordedHole(number: number, renditions: renditions), "the peer has nothing of it")
                continue
            }
            // What both lack stays missing, and nothing else.
            #expect(found?.renditions == (renditions?.intersection(missing) ?? missing).nonempty, "\(number)")
        }
        #expect(simulation.plan.status.missing == after.count)
        // Without a failure there is nothing left to ask.
        try simulation.run()
        #expect(simulation.asked.isEmpty)
    }

    @Test func thePeerIsNotAskedTwiceForWhatItLacks() throws {
        let holed = try Self.recording(300, away: [100..<140])
        let peer = try Self.recording(300, away: [110..<120])
        var simulation = HealingSimulation(holed, from: peer)
        try simulation.run()
        #expect(simulation.asked.map(\.count).reduce(0, +) == 40)
        #expect(simulation.plan.status == HealingStatus(filled: 30, missing: 10))
        let unfilled = simulation.events.compactMap { event -> Range<MediaSequenceNumber>? in
            if case .unfilled(let span, _) = event { span.numbers } else { nil }
        }
        #expect(unfilled == [Self.number(110)..<Self.number(120)])
        // Hours later it is asked what it has, and for nothing else.
        for _ in 0..<40 {
            simulation.now += MediaTime(seconds: 600)
            try simulation.run()
            #expect(simulation.asked.isEmpty)
        }
        #expect(simulation.plan.status.missing == 10)
    }

    /// Another recording may have what the one before lacked; one that has only become longer lacks the same.
    @Test(arguments: [true, false]) func whatAPeerLackedIsAskedForWhereItsRecordingIsAnother(isOther: Bool) {
        var plan = HealingPlan(segmentDuration: MediaTime(seconds: 4))
        let all = Self.numbers
        let reach = HealingReach(numbers: all, served: all.upperBound)
        var now = MediaTime.zero
        func next() -> HealingPlan.Step { plan.next(reach, at: now) { _ in nil } }
        func answer(_ extent: Range<MediaSequenceNumber>, _ asked: Range<MediaSequenceNumber>) {
            let told = RecordedSlots(
                segmentDuration: MediaTime(seconds: 4),
                extent: extent,
                numbers: asked.clamped(to: extent),
                slots: []
            )
            plan.answered(told, of: asked, at: now)
        }
        let hole = Self.number(400)
        var questions = 0
        for _ in 0..<2000 {
            switch next() {
            case .examine(let numbers):
                let holes = numbers.contains(hole) ? [RecordedHole(number: hole, renditions: nil)] : []
                plan.found(holes, in: numbers)
            case .ask(let numbers):
                if !numbers.isEmpty { questions += 1 }
                let isLate = now > MediaTime(seconds: 1000)
                let begin = isLate && isOther ? Self.number(300) : Self.number(350)
                answer(begin..<Self.number(isLate ? 700 : 600), numbers)
            case .wait(let time): now += time
            case .fetch, .insert: Issue.record("the peer has nothing")
            }
        }
        #expect(questions == (isOther ? 2 : 1))
    }

    @Test func whatLiesBeyondThePeersEndIsAskedForOnceItHasIt() throws {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        try channel.publish(count: 95)
        channel.finish()
        let holed = try Self.recording(300, away: [90..<100])
        var simulation = HealingSimulation(holed, from: channel.recording)
        try simulation.run()
        #expect(simulation.plan.status == HealingStatus(filled: 5, missing: 5))
        try channel.publish(count: 30)
        channel.finish()
        simulation.now += MediaTime(seconds: 600)
        try simulation.run()
        #expect(simulation.plan.status == HealingStatus(filled: 10))
    }

    @Test func bytesArriveNoFasterThanTheBudgetHasThem() throws {
        let whole = try Self.recording(120, byteCount: 20_000)
        let holed = try Self.recording(120, away: [50..<90])
        var simulation = HealingSimulation(holed, from: whole, bytesPerSecond: 1 << 20)
        try simulation.run()
        #expect(simulation.plan.status.filled == 40)
        #expect(simulation.byteCount > 40 * 40_000)
        #expect(simulation.haste <= 0, "\(simulation.haste)")
    }

    @Test func theNewestSlotsAndGapsOfLiveViewersAreLeftAlone() throws {
        let whole = try Self.whole.get()
        // The window reaches back over the gaps.
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 400)
        try channel.publish(count: 300)
        try channel.publish(gaps: [Self.audio])
        try channel.publish(count: 9)
        channel.finish()
        var simulation = HealingSimulation(channel.recording, from: whole)
        try simulation.run()
        #expect(simulation.asked.isEmpty && simulation.plan.status == HealingStatus(missing: 1))
        // Once no live viewer has it, it is filled in.
        try channel.publish(count: 300)
        channel.finish()
        try simulation.run()
        #expect(simulation.plan.status == HealingStatus(filled: 1))
        // A slot that may still be published is none.
        let recording = try Self.recording(310, away: [300..<309])
        let now = MediaTime(seconds: (RecordedChannel.first + 305) * 4)
        let reach = recording.healingReach(at: now, patience: MediaTime(seconds: 12))
        #expect(reach.numbers == Self.number(0)..<Self.number(302))
    }

    @Test func whatIsAboutToBeRemovedIsNotFilledIn() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(limits: RecordingLimits(age: MediaTime(seconds: 400))))
        try channel.publish(count: 200)
        channel.finish()
        let now = MediaTime(seconds: (RecordedChannel.first + 200) * 4)
        let reach = channel.recording.healingReach(at: now, patience: .zero)
        #expect(reach.numbers == Self.number(100)..<Self.number(200))
        let later = channel.recording.healingReach(at: now + MediaTime(seconds: 4000), patience: .zero)
        #expect(later.numbers.isEmpty)
    }

    @Test func aSlotThatCannotBeHadIsGivenUpAndTheOthersAreNot() throws {
        let whole = try Self.whole.get()
        let holed = try Self.recording(300, away: [100..<120])
        let path = "video-1080p/\(Self.number(110)).m4s"
        for fault in [HealingSimulation.Fault.nothing, .garbage] {
            let holed = try Self.recording(300, away: [100..<120])
            var simulation = HealingSimulation(holed, from: whole)
            try simulation.run { step in if case .fetch(let file) = step, file.path == path { fault } else { nil } }
            // The sound of the slot is there.
            let holes = try holed.holes(in: Self.numbers)
            #expect(holes == [RecordedHole(number: Self.number(110), renditions: [Self.video])])
            #expect(simulation.plan.status == HealingStatus(filled: 20, missing: 1, refused: 1))
            let isTold = simulation.events.contains { event -> Bool in
                if case .unfilled(_, let reason) = event { reason.contains(path) } else { false }
            }
            #expect(isTold, "\(simulation.events)")
        }
        var simulation = HealingSimulation(holed, from: whole)
        try simulation.run { step in if case .fetch(let file) = step, file.path == path { .silence } else { nil } }
        #expect(try Self.holes(holed).keys.sorted() == [Self.number(110)])
        #expect(simulation.events.contains { if case .interrupted = $0 { true } else { false } })
        #expect(simulation.events.contains(.resumed))
    }

    @Test func aPeerThatIsAwayIsAskedLessAndLess() throws {
        let whole = try Self.whole.get()
        let holed = try Self.recording(300, away: [100..<120])
        var simulation = HealingSimulation(holed, from: whole)
        var times: [MediaTime] = []
        var plan = simulation.plan
        var now = MediaTime.zero
        let reach = holed.healingReach(at: simulation.utc, patience: .zero)
        while times.count < 12 {
            switch plan.next(reach, at: now, reserve: { _ in nil }) {
            case .wait(let time): now += time
            case .examine(let numbers): plan.found(try holed.holes(in: numbers), in: numbers)
            case .ask:
                times.append(now)
                plan.failed("no connection", at: now)
            case .fetch, .insert: Issue.record("nothing was told")
            }
        }
        let pauses = zip(times.dropFirst(), times).map { ($0 - $1).ticks / MediaTime.timescale }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 120, 120, 120, 120])
        #expect(plan.status == HealingStatus(missing: 20, problem: "no connection"))
        let events = plan.takeEvents()
        #expect(events == [.interrupted(missing: 20, reason: "no connection")])
        // Back again, it gives all.
        (simulation.plan, simulation.now) = (plan, now)
        try simulation.run()
        #expect(try Self.holes(holed).isEmpty)
        #expect(simulation.plan.status == HealingStatus(filled: 20))
        #expect(simulation.events.first == .resumed)
    }

    @Test func slotsThatAreTooLargeAreRefused() throws {
        let whole = try Self.recording(300, byteCount: 2000)
        let holed = try Self.recording(300, away: [100..<110])
        for limit in [\HealingLimits.segmentByteCount, \.slotByteCount] {
            var simulation = HealingSimulation(holed, from: whole) { $0[keyPath: limit] = 1000 }
            try simulation.run()
            #expect(simulation.byteCount == 0)
            #expect(simulation.plan.status == HealingStatus(missing: 10, refused: 10))
        }
    }

    /// A peer with hundreds of renditions could name a section of megabytes for each.
    @Test func initializationSectionsCountForTheirSlot() throws {
        // A crypto period is missing. Of its slots, segments have 39 bytes, and the two sections 45.
        for (limit, refused) in [(84, 0), (62, 60)] {
            let holed = try Self.recording(600, away: [120..<180])
            var simulation = HealingSimulation(holed, from: try Self.whole.get()) { $0.slotByteCount = limit }
            try simulation.run()
            #expect(simulation.plan.status.refused == refused, "\(limit)")
        }
    }
}
