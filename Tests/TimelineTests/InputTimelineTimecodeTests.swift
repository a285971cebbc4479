import MediaCore
import TestSupport
import Testing
import Timeline

/// The place of a feed with timecode.
@Suite struct InputTimelineTimecodeTests {
    static let rates: [(Ratio, Bool)] = [
        (.film, false), (Ratio(24, 1), false), (Ratio(25, 1), false), (.ntsc, true), (.ntsc, false),
        (Ratio(30, 1), false), (Ratio(50, 1), false), (.ntscDouble, true), (Ratio(60, 1), false),
    ]

    @Test(arguments: rates)
    func everyPictureIsWhereItsLabelSays(rate: Ratio, isDropFrame: Bool) throws {
        var feed = TimecodeFeed(rate: rate, isDropFrame: isDropFrame)
        let placed = feed.run(frames: 600)
        #expect(placed.count == 600)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.isEmpty)
        #expect(feed.timeline.utcOffset == .zero)
    }

    @Test(arguments: rates)
    func labelsOfKeyFramesDo(rate: Ratio, isDropFrame: Bool) {
        var feed = TimecodeFeed(rate: rate, isDropFrame: isDropFrame)
        feed.labelEvery = Int(rate.numerator / rate.denominator) * 2 + 1
        let placed = feed.run(frames: 900)
        #expect(placed.count == 900)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.isEmpty)
    }

    /// Two packagers agree whenever each was started, however late packets were and however timestamps were rounded.
    @Test(arguments: rates, [0, 1, 30, 45] as [Int64])
    func twoStartsAgreeOnEveryTick(rate: (Ratio, Bool), jitter: Int64) {
        var first = TimecodeFeed(rate: rate.0, isDropFrame: rate.1, jitter: jitter, seed: 1)
        var second = first
        _ = first.run(frames: 351)
        second.skip(frames: 351)
        second.delaySeed(7)
        let (a, b) = (first.run(frames: 900), second.run(frames: 900))
        #expect(a.map(\.presentation) == b.map(\.presentation))
        #expect(a.map(\.decode) == b.map(\.decode))
        // Audio has no labels: it agrees from the first slot on that both have seen the start of.
        let settled = TimecodeFeed.edge + MediaTime(seconds: 24)
        #expect(
            a.filter { $0.labelled >= settled }.map(\.audio) == b.filter { $0.labelled >= settled }.map(\.audio)
        )
        if jitter == 0 { #expect(a.map(\.audio) == b.map(\.audio)) }
    }

    @Test(
        arguments: [(Ratio(25, 1), false, 0), (.ntsc, true, 7_776), (.ntscDouble, true, 7_776)]
            as [(Ratio, Bool, Int64)]
    )
    func midnightIsCrossed(rate: Ratio, isDropFrame: Bool, step: Int64) {
        let start = TimecodeFeed.midnight - MediaTime(seconds: 10)
        var feed = TimecodeFeed(rate: rate, isDropFrame: isDropFrame, start: start, from: (23, 59, 50))
        let placed = feed.run(frames: 1_800)
        #expect(placed.count == 1_800)
        let steps = zip(placed, placed.dropFirst()).map { ($1.presentation - $0.presentation).ticks }
        let frame = 90_000 * Int64(rate.denominator) / Int64(rate.numerator)
        // Drop-frame labels are that much too few in a day: the new day's labels move the timeline once.
        let moved = steps.filter { abs($0 - frame) > 1 }
        #expect(moved == (step == 0 ? [] : [frame + step]))
        #expect(feed.repairs == (step == 0 ? [] : [.reanchoredClock]))
        #expect(placed.last?.presentation == placed.last?.labelled)
    }

    /// An input with a place by its signal shares no clock that is corrected by arrival.
    @Test func anInputWhoseTimecodeComesLateLeavesItsArrivalClock() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.labelEvery = 0
        _ = feed.run(frames: 500)
        #expect(feed.clocks.inputs(sharingWith: 0) == [0])
        feed.labelEvery = 1
        let placed = feed.run(frames: 100)
        #expect(placed.last.map { $0.presentation == $0.labelled } == true)
        #expect(feed.clocks.inputs(sharingWith: 0).isEmpty)
    }

    @Test func anOperatorsResetIsBelievedAfterHalfASecond() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        _ = feed.run(frames: 100)
        feed.shiftLabels(by: MediaTime(seconds: -7))
        let placed = feed.run(frames: 50)
        #expect(feed.repairs == [.reanchoredClock])
        #expect(placed.prefix(12).map(\.labelled) == placed.prefix(12).map { $0.presentation - MediaTime(seconds: 7) })
        #expect(placed.dropFirst(16).allSatisfy { $0.presentation == $0.labelled })
        let audio = placed.dropFirst(16).allSatisfy { abs(($0.audio - $0.presentation).ticks) <= 10_800 }
        #expect(audio)
    }

    @Test func oneWrongLabelMovesNothing() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        _ = feed.run(frames: 100)
        for shift in [-7, 3, 100, -300] as [Int64] {
            feed.shiftLabels(by: MediaTime(seconds: shift))
            let wrong = feed.run(frames: 1)
            feed.shiftLabels(by: MediaTime(seconds: -shift))
            #expect(wrong.map { $0.presentation + MediaTime(seconds: shift) } == wrong.map(\.labelled))
            #expect(feed.run(frames: 20).allSatisfy { $0.presentation == $0.labelled })
        }
        #expect(Set(feed.repairs) == [.implausibleClock])
        #expect(feed.repairs.count == 1)
    }

    @Test(arguments: [-900_000, 7_777, 40_000_000] as [Int64])
    func anEncoderThatStartsOverLandsOnTheSameTimelineWithoutLoss(jump: Int64) {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        _ = feed.run(frames: 100)
        feed.base += jump * 90
        let placed = feed.run(frames: 100)
        #expect(placed.count == 100)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(placed.allSatisfy { abs(($0.audio - $0.presentation).ticks) <= 10_800 })
        #expect(feed.repairs == [.reanchoredClock])
    }

    @Test func oneDamagedTimestampMovesNothing() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        _ = feed.run(frames: 100)
        feed.base += 9_000_000
        #expect(feed.run(frames: 1, withAudio: false).allSatisfy { $0.presentation == $0.labelled })
        feed.base -= 9_000_000
        let placed = feed.run(frames: 100)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(placed.allSatisfy { abs(($0.audio - $0.presentation).ticks) <= 10_800 })
    }

    /// Timestamps jump where no label is: what comes is held until a key frame says where it belongs.
    @Test func aJumpBetweenLabelsIsHeldUntilTheNextSaysWhereTo() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.labelEvery = 25
        _ = feed.run(frames: 110)
        feed.base += 40_000_000
        let placed = feed.run(frames: 18)
        // The first was dropped as damaged, the others are where they belong.
        #expect(placed.count == 17)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.filter { $0 != .implausibleClock } == [.reanchoredClock])
        #expect(feed.run(frames: 100).allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.filter { $0 != .implausibleClock } == [.reanchoredClock])
    }

    @Test func withoutTimecodeArrivalDoesAfterTenSeconds() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.labelEvery = 0
        let placed = feed.run(frames: 400)
        #expect(feed.repairs == [.missingTimecode])
        #expect(placed.count == 400)
        #expect(placed.allSatisfy { abs(($0.presentation - $0.arrival).milliseconds) <= 200 })
    }

    @Test func aReopenedFeedWithoutTimecodeIsPlacedAtOnceUntilItHasSome() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.labelEvery = 0
        _ = feed.run(frames: 400)
        feed.base = 5
        feed.reopen()
        let placed = feed.run(frames: 50)
        #expect(placed.count == 50)
        #expect(placed.allSatisfy { abs(($0.presentation - $0.arrival).milliseconds) <= 200 })
        #expect(feed.repairs == [.missingTimecode])
        feed.labelEvery = 1
        #expect(feed.run(frames: 100).dropFirst(16).allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs == [.missingTimecode, .reanchoredClock])
    }

    @Test func timecodeThatComesLateTakesOver() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.latency = MediaTime(milliseconds: 700)
        feed.labelEvery = 0
        _ = feed.run(frames: 400)
        feed.labelEvery = 1
        let placed = feed.run(frames: 100)
        #expect(feed.repairs == [.missingTimecode, .reanchoredClock])
        #expect(placed.dropFirst(16).allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.timeline.utcOffset == .zero)
    }

    @Test(arguments: [-3_600, -601, 11, 3_600, 36_000] as [Int64])
    func timecodeThatIsNotUTCIsNotBelieved(seconds: Int64) {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.shiftLabels(by: MediaTime(seconds: seconds))
        let placed = feed.run(frames: 400)
        #expect(placed.count == 400)
        #expect(placed.allSatisfy { abs(($0.presentation - $0.arrival).milliseconds) <= 200 })
        #expect(feed.repairs.count { $0 == .missingTimecode } == 1)
        #expect(feed.repairs.count { $0 == .implausibleClock } == 400)
    }

    @Test(arguments: [-599, -90, 9] as [Int64])
    func timecodeThatIsALittleOffIsBelieved(seconds: Int64) {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.shiftLabels(by: MediaTime(seconds: seconds))
        #expect(feed.run(frames: 100).allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.isEmpty)
    }

    @Test func localTimeIsReadInItsZone() {
        var feed = TimecodeFeed(rate: Ratio(25, 1), clock: TimecodeClock(zone: MediaTime(seconds: 19_800)))
        feed.shiftLabels(by: MediaTime(seconds: 19_800))
        let placed = feed.run(frames: 100)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled - MediaTime(seconds: 19_800) })
        #expect(feed.repairs.isEmpty)
    }

    @Test func storedTimecodeIsOfAnyTime() {
        var feed = TimecodeFeed(rate: Ratio(25, 1), pace: .stored)
        feed.shiftLabels(by: MediaTime(seconds: 7_200))
        #expect(feed.run(frames: 100).allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.isEmpty)
    }

    /// A wrong idea of the frame rate makes labels that contradict each other.
    @Test func labelsThatNeverAgreeAreNotBelieved() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.statedRate = Ratio(50, 1)
        let placed = feed.run(frames: 400)
        #expect(placed.count == 400)
        #expect(feed.repairs == [.missingTimecode])
    }

    @Test func producerReferenceTimesDoWithoutTimecode() {
        var feed = TimecodeFeed(rate: Ratio(25, 1))
        feed.labelEvery = 0
        feed.hasProducerReferences = true
        let placed = feed.run(frames: 400)
        #expect(placed.count == 400)
        #expect(placed.allSatisfy { abs(($0.presentation - $0.labelled).milliseconds) <= 3 })
        #expect(feed.repairs.isEmpty)
    }

    @Test func aReopenedFeedIsWhereItsLabelsSay() {
        var feed = TimecodeFeed(rate: .ntscDouble, isDropFrame: true)
        _ = feed.run(frames: 300)
        feed.skip(frames: 2_000)
        feed.base = 5
        feed.reopen()
        let placed = feed.run(frames: 300)
        #expect(placed.count == 300)
        #expect(placed.allSatisfy { $0.presentation == $0.labelled })
        #expect(feed.repairs.isEmpty)
    }

    @Test(arguments: [InputPace.live, .paced, .stored])
    func noSignalsTrap(pace: InputPace) {
        var generator = SeededGenerator(seed: 11)
        var driver = TimelineDriver(source: .timecode, pace: pace)
        let rates = [Ratio(25, 1), .ntsc, .film, Ratio(0, 0), Ratio(Int.max, 1), Ratio(1, Int.max), nil]
        var arrival: Int64 = 0
        for _ in 0..<8_000 {
            arrival += Int64.random(in: 0...80, using: &generator)
            let now = TimelineDriver.edge + MediaTime(milliseconds: arrival)
            let day = Int(now.ticks / 90_000 % 86_400)
            let isTrue = Bool.random(using: &generator)
            let label = Timecode(
                hours: isTrue ? day / 3_600 : Int.random(in: 0..<24, using: &generator),
                minutes: isTrue ? day / 60 % 60 : Int.random(in: 0..<60, using: &generator),
                seconds: isTrue ? day % 60 : Int.random(in: 0..<60, using: &generator),
                frames: Int.random(in: 0..<70, using: &generator),
                isDropFrame: Bool.random(using: &generator),
                frameRate: rates.randomElement(using: &generator) ?? nil
            )
            let wild = Int64.random(in: -1 << 60...1 << 60, using: &generator)
            let signals: [SignalledTime?] = [
                label.map(SignalledTime.timecode), .producerReference(now),
                .producerReference(MediaTime(ticks: wild)), nil,
            ]
            let raw = (arrival * 90 + Int64.random(in: 0...9_000, using: &generator)) % TimelineDriver.modulus
            let isWild = Int.random(in: 0..<30, using: &generator) == 0
            let packet = PacketInfo(
                trackIndex: InputTrackIndex(Int.random(in: 0...2, using: &generator)),
                presentationTimestamp: isWild ? Int64.random(in: 0..<TimelineDriver.modulus, using: &generator) : raw,
                decodeTimestamp: raw
            )
            _ = driver.timeline.received(
                packet,
                canAnchor: true,
                arrival: now,
                signalled: signals.randomElement(using: &generator) ?? nil,
                clocks: &driver.clocks
            )
            if Int.random(in: 0..<900, using: &generator) == 0 { driver.open(at: arrival) }
        }
        #expect(!driver.takeRepairs().isEmpty)
    }
}
