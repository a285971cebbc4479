import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

@Suite struct VideoCutterTests {
    /// Pictures into a cutter; times are milliseconds on the media timeline.
    private struct Driver {
        var cutter = VideoCutter(BoundaryPlan(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4))))
        var utcOffset = MediaTime.zero
        var configuration = SyntheticTracks.video
        var cuts: [CutSegment] = []
        var summaries: [String] { cuts.map(\.summary) }

        mutating func picture(
            _ time: Int64,
            shown: Int64? = nil,
            isSync: Bool,
            isRecoveryPoint: Bool = false,
            isSkippedLeading: Bool = false
        ) {
            let sample = Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(shown ?? time),
                isSync: isSync,
                isRecoveryPoint: isRecoveryPoint,
                isSkippedLeading: isSkippedLeading,
                payload: ByteBuffer(bytes: [1])
            )
            cuts += cutter.received(sample, newConfiguration: .avc(configuration), utcOffset: utcOffset)
        }

        /// A picture every 40 ms, a sync sample every `group` ms from the first on.
        mutating func run(_ range: Range<Int64>, group: Int64 = 1_000) {
            for time in stride(from: range.lowerBound, to: range.upperBound, by: 40) {
                picture(time, isSync: (time - range.lowerBound) % group == 0)
            }
        }

        /// Groups of a second as HEVC has them: a clean random access picture, and two that are shown before it.
        mutating func openGroups(_ range: Range<Int64>) {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 1_000) {
                picture(start - 80, shown: start, isSync: true)
                picture(start - 40, shown: start - 80, isSync: false, isSkippedLeading: true)
                picture(start, shown: start - 40, isSync: false, isSkippedLeading: true)
                for time in stride(from: start + 40, to: start + 920, by: 40) { picture(time, isSync: false) }
            }
        }

        /// Groups of a second as H.264 has them where only some begin with an IDR picture: others begin with a recovery
        /// point, and two pictures that are shown before it.
        mutating func recoveryPoints(_ range: Range<Int64>, from first: Int64 = 0, syncAt: Set<Int64> = []) {
            for start in stride(from: range.lowerBound + first, to: range.upperBound, by: 1_000) {
                let isSync = syncAt.contains(start)
                picture(start - 80, shown: start, isSync: isSync, isRecoveryPoint: true)
                picture(start - 40, shown: isSync ? start + 40 : start - 80, isSync: false)
                picture(start, shown: isSync ? start + 80 : start - 40, isSync: false)
                for time in stride(from: start + 40, to: start + 920, by: 40) {
                    picture(time, shown: isSync ? time + 80 : time, isSync: false)
                }
            }
        }

        /// Groups as long as a slot, by a clock that is moved by so many milliseconds with each.
        mutating func slotLong(from phase: Int64, moving: Int64) {
            for group in Int64(0)..<6 {
                utcOffset = MediaTime(milliseconds: moving * group)
                run(phase + group * 4_000..<phase + group * 4_000 + 4_000, group: 4_000)
            }
        }

        mutating func deadline(_ slot: Int64) {
            let number = MediaSequenceNumber(Epoch.slot.value + slot)
            if let cut = cutter.deadlinePassed(for: number, utcOffset: utcOffset) { cuts.append(cut) }
        }

        mutating func finish() {
            if let cut = cutter.finish(utcOffset: utcOffset) { cuts.append(cut) }
        }
    }

    /// The key frame after a loss begins no slot that it would not begin otherwise.
    @Test func aLossIsNoLongFrame() {
        var driver = Driver()
        driver.run(700..<6_900)
        driver.run(7_700..<14_000)
        #expect(driver.summaries == ["1 4700-8700 sync 80", "2 8700-12700 sync 100"])
    }

    /// Three groups of 1.001 s are longer than the longest segment of slots of 2 s, by less than half a picture.
    @Test func segmentsInPartsBeginWithKeyFramesWhereverALossLeavesThem() {
        let plan = BoundaryPlan(grid: SegmentGrid(slotDuration: MediaTime(seconds: 2)))
        for lost in stride(from: 0, to: 120, by: 6) {
            for length in [1, 10, 29, 45] {
                var cutter = VideoCutter(plan, horizon: .part(duration: MediaTime(milliseconds: 500)))
                var cuts: [CutSegment] = []
                for index in 0..<800 where !(300 + lost..<300 + lost + length).contains(index) {
                    let time = Epoch.at(0) + MediaTime(ticks: Int64(index) * 3_003)
                    let sample = Sample(
                        decodeTime: time,
                        presentationTime: time,
                        isSync: index % 30 == 0,
                        payload: ByteBuffer(bytes: [1])
                    )
                    let configuration = CodecConfiguration.avc(SyntheticTracks.video)
                    cuts += cutter.received(sample, newConfiguration: configuration, utcOffset: .zero)
                }
                // The slot of the loss may lack its key frame.
                let end = Epoch.at(0) + MediaTime(ticks: Int64(300 + lost + length + 90) * 3_003)
                let others = cuts.filter { $0.start.media > end }
                #expect(others.count >= 3)
                let begin = others.map { $0.samples.first?.isSync }
                #expect(begin.allSatisfy { $0 == true }, "\(length) from \(lost): \(cuts.map(\.summary))")
            }
        }
    }

    /// The encoder has enough key frames; one was lost.
    @Test func aLostKeyFrameIsNotBlamedOnTheEncoder() {
        var driver = Driver()
        driver.run(0..<8_000, group: 4_000)
        driver.cutter.pictureLost()
        for time in stride(from: 8_040, to: 12_000, by: 40) as StrideTo<Int64> { driver.picture(time, isSync: false) }
        driver.run(12_000..<21_000, group: 4_000)
        let expected = ["0 0-4000 sync 100", "1 4000-8040 sync 100", "2 8040-12000 non-sync 99"]
        #expect(driver.summaries.prefix(3) == expected[...])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    /// A rate that changes is followed within two pictures.
    @Test func aFrameLastsAsLongAsTwoOfThreeSteps() {
        var steps = FrameSteps()
        for time in [0, 40, 80, 200, 240, 241, 280, 320] as [Int64] { steps.note(Epoch.at(time)) }
        #expect(steps.duration == MediaTime(milliseconds: 39))
        for time in [340, 360] as [Int64] { steps.note(Epoch.at(time)) }
        #expect(steps.duration == MediaTime(milliseconds: 20))
        steps.note(Epoch.at(5_000))
        #expect(steps.duration == MediaTime(milliseconds: 20))
        var first = FrameSteps()
        for time in [0, 500] as [Int64] { first.note(Epoch.at(time)) }
        #expect(first.duration == MediaTime(milliseconds: 500))
    }

    // MARK: Open groups of pictures

    /// Also where they lie half a slot from the edges of the grid, a little this way or that.
    @Test(arguments: [-2, 0, 2] as [Int64])
    func groupsAsLongAsASlotBeginEverySegmentWhereverTheyLie(moving: Int64) {
        for phase in [Int64](0...4) + Array(1_960...2_040) + Array(3_960..<4_000) {
            var driver = Driver()
            driver.slotLong(from: phase, moving: moving)
            #expect(driver.cuts.count >= 2)
            #expect(driver.cuts.allSatisfy { $0.samples.first?.isSync == true }, "\(phase) ms: \(driver.summaries)")
        }
    }

    @Test func picturesThatNeedWhatWasBeforeASegmentAreMarked() {
        var driver = Driver()
        driver.openGroups(0..<13_000)
        #expect(driver.summaries == ["0 0-4000 sync 98", "1 4000-8000 sync 100", "2 8000-12000 sync 100"])
        // The first ones of all refer to what was never there.
        #expect(driver.cuts.map(\.skippedLeading) == [[], [1, 2], [1, 2]])
        let whole = driver.cuts[1]
        let left = whole.withoutSkippedLeading()
        #expect(left.samples.count == 98)
        #expect(left.samples.reduce(0) { $0 + Int64($1.duration) } == whole.duration)
        // What is left is decoded and shown when it was.
        #expect(left.times.map(\.decode) == [whole.times[0].decode] + whole.times[3...].map(\.decode))
        #expect(left.times.map(\.presentation) == [whole.times[0].presentation] + whole.times[3...].map(\.presentation))
    }

    @Test func afterALossPicturesThatNeedWhatIsLostAreNotThere() {
        var driver = Driver()
        driver.openGroups(0..<6_000)
        driver.cutter.inputRestarted()
        driver.openGroups(8_000..<13_000)
        #expect(driver.summaries.last == "2 8000-12000 sync 98")
        #expect(driver.cuts.last?.skippedLeading == [])
    }

    @Test func withoutSyncSamplesSegmentsStartWithRecoveryPoints() {
        var driver = Driver()
        driver.recoveryPoints(0..<19_000, from: 300)
        #expect(driver.summaries == ["1 4300-8300 sync 100", "2 8300-12300 sync 100", "3 12300-16300 sync 100"])
        #expect(driver.cuts.map(\.skippedLeading) == [[1, 2], [1, 2], [1, 2]])
        #expect(driver.cuts.allSatisfy { $0.isWhole })
        #expect(driver.cutter.takeRepairs() == Array(repeating: .recoveryPointCut, count: 4))
    }

    @Test func aSyncSampleNearTheEdgeIsBetterThanARecoveryPointOnIt() {
        var driver = Driver()
        driver.recoveryPoints(0..<19_000, syncAt: [0, 3_000, 9_000, 12_000, 16_000])
        let times = driver.summaries.map { $0.split(separator: " ")[1] }
        #expect(times == ["0-3000", "3000-9000", "9000-12000", "12000-16000"])
        #expect(driver.cutter.takeRepairs() == [])
    }

    @Test func whereverOneBeganItCutsAlike() {
        var (early, late) = (Driver(), Driver())
        early.recoveryPoints(0..<40_000, syncAt: [0])
        late.recoveryPoints(7_000..<40_000, syncAt: [0])
        let (first, second) = (early.cuts.suffix(6), late.cuts.suffix(6))
        #expect(first.map(\.number) == second.map(\.number))
        #expect(first.map { $0.times.map { $0.decode } } == second.map { $0.times.map { $0.decode } })
        #expect(first.map { $0.times.map { $0.presentation } } == second.map { $0.times.map { $0.presentation } })
        #expect(first.map(\.reordering) == second.map(\.reordering))
    }

    @Test func afterALossDecodingGoesOnAtARecoveryPointWhereNoSyncSampleIsNear() {
        var driver = Driver()
        driver.recoveryPoints(0..<6_000)
        driver.cutter.inputRestarted()
        // Pictures of a group whose start is lost.
        for time in stride(from: Int64(8_500), to: 8_920, by: 40) { driver.picture(time, isSync: false) }
        driver.recoveryPoints(9_000..<19_000)
        let cuts = driver.cuts.suffix(3)
        #expect(cuts.map(\.summary) == ["1 4000-9000 sync 50", "2 9000-12000 sync 73", "3 12000-16000 sync 100"])
        #expect(cuts.map(\.skippedLeading) == [[1, 2], [], [1, 2]])
        #expect(cuts.map(\.isWhole) == [false, true, true])
    }

    // MARK: Boundaries

    @Test func syncSamplesOnTheEdgesAreCutExactly() {
        var driver = Driver()
        driver.run(0..<12_040)
        #expect(driver.summaries == ["0 0-4000 sync 100", "1 4000-8000 sync 100", "2 8000-12000 sync 100"])
        #expect(driver.cuts.map(\.decodeTime) == [0, 4_000, 8_000].map { Epoch.at($0).ticks })
        #expect(driver.cuts.map(\.duration) == [360_000, 360_000, 360_000])
        #expect(driver.cuts.map(\.timescale) == [90_000, 90_000, 90_000])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func halfAFrameBeforeTheEdgeIsOnTheEdge() {
        var driver = Driver()
        driver.run(-1_020..<7_000)
        #expect(driver.summaries == ["0 -20-3980 sync 100"])
    }

    @Test func moreThanHalfAFrameBeforeTheEdgeIsTheSlotBefore() {
        var driver = Driver()
        driver.run(-1_021..<7_000)
        #expect(driver.summaries == ["0 979-4979 sync 100"])
    }

    @Test func theSlotsAreThoseOfUTC() {
        var driver = Driver()
        driver.utcOffset = MediaTime(milliseconds: 480)
        driver.run(0..<8_000, group: 880)
        #expect(driver.summaries == ["1 3520-7920 sync 110"])
        #expect(driver.cuts.first?.start.utc == Epoch.at(4_000))
    }

    @Test func aSyncSampleMayComeHalfASlotLate() {
        var driver = Driver()
        driver.run(0..<6_040, group: 6_000)
        #expect(driver.summaries == ["0 0-6000 sync 150"])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func groupsThatDoNotFitTheGridAreCutWhereTheyBegin() {
        var driver = Driver()
        driver.run(0..<18_000, group: 2_480)
        #expect(
            driver.summaries == [
                "0 0-4960 sync 124", "1 4960-9920 sync 124", "2 9920-12400 sync 62", "3 12400-17360 sync 124",
            ]
        )
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    /// Groups as long as a slot that begin three seconds into it: the next sync sample would always be too late.
    @Test func theLastSyncSampleBeforeTheEdgeIsTakenWhereTheNextIsTooFar() {
        var driver = Driver()
        driver.run(-1_000..<20_000, group: 4_000)
        #expect(
            driver.summaries == [
                "1 3000-7000 sync 100", "2 7000-11000 sync 100", "3 11000-15000 sync 100", "4 15000-19000 sync 100",
            ]
        )
    }

    /// The last sync sample is taken after all where the next one was expected in time and does not come.
    @Test func theLastSyncSampleBeforeTheEdgeIsTakenWhereTheNextStaysAway() {
        var driver = Driver()
        for time in stride(from: Int64(0), to: 9_000, by: 40) {
            driver.picture(time, isSync: [0, 1_000, 2_000, 3_000, 7_000].contains(time))
        }
        #expect(driver.summaries == ["0 0-3000 sync 75", "1 3000-7000 sync 100"])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func withoutAnySyncSampleTheEdgeIsCutByForce() {
        var driver = Driver()
        driver.run(0..<20_040, group: 10_000)
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100", "1 4000-10000 non-sync 150", "2 10000-12000 sync 50", "3 12000-16000 non-sync 100",
                "4 16000-20000 non-sync 100",
            ]
        )
        #expect(driver.cutter.takeRepairs() == [.forcedCut, .forcedCut, .forcedCut])
    }

    @Test func aTrackThatJoinsInTheMiddleOfASlotIsPublishedFromTheNextOn() {
        var driver = Driver()
        driver.picture(900, isSync: false)
        driver.run(1_000..<9_000)
        #expect(driver.summaries == ["1 4000-8000 sync 100"])
        #expect(driver.cutter.takeRepairs().isEmpty, "the feed has no fault")
    }

    // MARK: Holes

    @Test func aSlotThatWasPartlyLostIsHeldToItsEnd() {
        var driver = Driver()
        driver.run(0..<2_000)
        driver.run(13_000..<16_040)
        #expect(
            driver.summaries == ["0 0-4000 sync 50", "1 4000-8000 gap", "2 8000-13000 gap", "3 13000-16000 sync 75"]
        )
        #expect(driver.cuts.first?.samples.last?.duration == UInt32(2_040 * 90))
    }

    @Test func theFirstPictureAfterAHoleIsShownFromTheBoundaryOn() throws {
        var driver = Driver()
        driver.run(0..<2_000)
        driver.cutter.inputRestarted()
        driver.run(10_480..<16_480)
        #expect(driver.summaries == ["0 0-4000 sync 50", "1 4000-8000 gap", "2 8000-12480 sync 50"])
        let times = try #require(driver.cuts.last).times
        #expect(times.first?.decode == Epoch.at(8_000).ticks)
        #expect(times.first?.presentation == Epoch.at(8_000).ticks)
        #expect(times.dropFirst().first?.presentation == Epoch.at(10_520).ticks)
    }

    @Test func aSlotIsGivenUpAtItsDeadline() {
        var driver = Driver()
        driver.run(0..<3_000)
        driver.deadline(1)
        #expect(driver.cuts.isEmpty, "slot 0 is the one being filled")
        driver.deadline(0)
        driver.deadline(1)
        #expect(driver.summaries == ["0 0-4000 sync 75", "1 4000-8000 gap"])
        #expect(driver.cuts.last?.configuration == nil)
        driver.picture(3_960, isSync: true)
        driver.picture(8_000, isSync: false)
        #expect(driver.cutter.takeRepairs() == [.lateSample, .undecodableSample])
        driver.run(8_040..<12_080)
        #expect(driver.summaries.last == "2 8000-12040 sync 100")
    }

    @Test func afterALostInputPicturesAreDroppedUntilASyncSample() {
        var driver = Driver()
        driver.run(0..<4_000, group: 4_000)
        driver.cutter.inputRestarted()
        for time in [4_000, 4_040, 4_080] as [Int64] { driver.picture(time, isSync: false) }
        #expect(driver.cutter.takeRepairs() == [.undecodableSample, .undecodableSample, .undecodableSample])
        driver.picture(4_120, isSync: true)
        #expect(driver.summaries == ["0 0-4120 sync 100"])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    // MARK: Reordering

    /// There is no edit list, so the earliest presentation time is the decode time, as in brand `cmf2`.
    @Test(arguments: 0...3)
    func theEarliestPresentationTimeOfASegmentIsItsDecodeTime(bFrames: Int) {
        var generator = SeededGenerator(seed: 1)
        var driver = Driver()
        var shown: Set<Int64> = []
        let feed = SyntheticFeed(bFrames: bFrames, hasAudio: false, firstTimestamp: 0, isWrapping: false)
        feed.packets(start: .zero, duration: MediaTime(seconds: 20), generator: &generator) { packet in
            let decode = packet.info.decodeTimestamp.map { $0 / 90 } ?? 0
            let presentation = packet.info.presentationTimestamp.map { $0 / 90 } ?? 0
            driver.picture(decode, shown: presentation, isSync: packet.isSync)
            shown.insert(presentation)
        }
        driver.finish()
        #expect(driver.cuts.count >= 4)
        for cut in driver.cuts {
            let presented = cut.times.map(\.presentation)
            #expect(presented.min() == cut.decodeTime)
            #expect(presented.allSatisfy { $0 < cut.decodeTime + cut.duration })
            #expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
            #expect(presented.allSatisfy { shown.contains(MediaTime(ticks: $0 - Epoch.time.ticks).milliseconds) })
        }
    }

    @Test func decodeTimesRiseEvenWhereTheFeedsDoNot() throws {
        var driver = Driver()
        driver.run(0..<2_000)
        driver.picture(1_900, isSync: false)
        driver.run(2_000..<4_040)
        let cut = try #require(driver.cuts.first)
        let decode = cut.times.map(\.decode)
        #expect(zip(decode, decode.dropFirst()).allSatisfy { $0 < $1 })
        #expect(cut.summary == "0 0-4000 sync 101")
    }

    // MARK: Configuration

    @Test func aNewConfigurationNearTheEdgeStartsTheNextSlot() {
        var driver = Driver()
        driver.run(0..<3_000)
        driver.configuration.picture.width = 1_280
        driver.run(3_000..<9_000)
        #expect(driver.summaries == ["0 0-3000 sync 75", "1 3000-8000 sync 125"])
        #expect(driver.cuts.map(\.configuration) == [.avc(SyntheticTracks.video), .avc(driver.configuration)])
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func aNewConfigurationInMidSlotTakesTheSlotFromItsStart() throws {
        var driver = Driver()
        driver.run(0..<1_000)
        driver.configuration.picture.width = 1_280
        driver.run(1_000..<5_000)
        #expect(driver.summaries == ["0 0-4000 sync 75"])
        #expect(driver.cuts.first?.configuration == .avc(driver.configuration))
        #expect(driver.cuts.first?.samples.first?.duration == UInt32(1_040 * 90))
        #expect(driver.cutter.takeRepairs() == [.configurationChange])
    }

    @Test func aConfigurationCountsFromItsSyncSampleOn() {
        var driver = Driver()
        driver.run(0..<3_960, group: 4_000)
        driver.configuration.picture.width = 1_280
        driver.picture(3_960, isSync: false)
        driver.run(4_000..<9_000)
        #expect(driver.cuts.map(\.configuration) == [.avc(SyntheticTracks.video), .avc(driver.configuration)])
    }

    // MARK: The end

    @Test func theLastSegmentEndsWithItsLastPicture() {
        var driver = Driver()
        driver.run(0..<5_400)
        driver.finish()
        #expect(driver.summaries == ["0 0-4000 sync 100", "1 4000-5400 sync 35"])
        driver.finish()
        #expect(driver.cuts.count == 2)
    }

    @Test func nothingEndsWithNothing() {
        var driver = Driver()
        driver.finish()
        #expect(driver.cuts.isEmpty)
        // A start in mid-slot is not published, not even at the end.
        driver.run(1_000..<2_000)
        driver.finish()
        #expect(driver.cuts.isEmpty)
    }
}
