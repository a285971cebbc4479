import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

@Suite struct SegmenterTests {
    /// Samples into a segmenter; times are milliseconds from the epoch on, on time and without an offset.
    private struct Driver {
        var segmenter: Segmenter
        var configurations: [CodecConfiguration]
        var slots: [Slot] = []
        var late: Int64 = 0
        var summaries: [String] { slots.map(\.summary) }

        init(_ tracks: MediaKind...) {
            segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
            for kind in tracks { segmenter.addTrack(kind) }
            configurations = tracks.map { $0 == .video ? .avc(SyntheticTracks.video) : .aac(SyntheticTracks.audio) }
        }

        mutating func sample(_ time: MediaTime, track: Int, isSync: Bool) {
            slots += segmenter.received(
                Sample(
                    decodeTime: time,
                    presentationTime: time,
                    isSync: isSync,
                    payload: ByteBuffer(bytes: [UInt8(track)])
                ),
                track: TrackIndex(track),
                configuration: configurations[track],
                utcOffset: .zero,
                arrival: time + MediaTime(milliseconds: late)
            )
        }

        /// Pictures every 40 ms with a sync sample a second, frames of audio, for these tracks, in order of time.
        mutating func run(_ range: Range<Int64>, tracks: [Int]? = nil) {
            let tracks = tracks ?? Array(configurations.indices)
            let (start, end) = (Epoch.at(range.lowerBound), Epoch.at(range.upperBound))
            var picture = start
            var frame = (start.value(timescale: 48_000) + 1_023) / 1_024
            while picture < end {
                for track in tracks where configurations[track].kind == .video {
                    let isSync = (picture - Epoch.time).ticks % 90_000 == 0
                    sample(picture, track: track, isSync: isSync)
                }
                picture += MediaTime(milliseconds: 40)
                while MediaTime(frame * 1_024, timescale: 48_000) < min(picture, end) {
                    for track in tracks where configurations[track].kind == .audio {
                        sample(MediaTime(frame * 1_024, timescale: 48_000), track: track, isSync: true)
                    }
                    frame += 1
                }
            }
        }

        mutating func advance(to time: Int64) { slots += segmenter.timeAdvanced(to: Epoch.at(time)) }
        mutating func end() { slots += segmenter.ended() }
    }

    // MARK: Slots

    @Test func aSlotIsHandedOnOnceAllItsTracksHaveMovedPastIt() {
        var driver = Driver(.video, .audio)
        driver.run(0..<4_040, tracks: [0])
        #expect(driver.slots.isEmpty)
        driver.run(0..<4_040, tracks: [1])
        #expect(driver.summaries == ["0 0-4000 sync 100 | 0 0-4011 sync 188"])
        #expect(driver.segmenter.configuration(of: 1) == .aac(SyntheticTracks.audio))
    }

    @Test func audioIsCutWhereTheLeadingVideoIs() {
        var driver = Driver(.video, .audio)
        // Joined late: the first whole slot is the next.
        driver.run(1_000..<13_000)
        #expect(
            driver.summaries == [
                "1 4000-8000 sync 100 | 1 4011-8000 sync 187", "2 8000-12000 sync 100 | 2 8000-12011 sync 188",
            ]
        )
    }

    @Test func everyVideoTrackIsCutAtItsOwnSyncSamples() {
        var driver = Driver(.video, .video, .audio)
        for time in stride(from: Int64(0), to: 9_000, by: 40) {
            driver.sample(Epoch.at(time), track: 0, isSync: time % 1_000 == 0)
            driver.sample(Epoch.at(time), track: 1, isSync: time % 1_000 == 0 || time == 4_000)
        }
        #expect(driver.slots.isEmpty)
        driver.run(0..<9_000, tracks: [2])
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100 | 0 0-4000 sync 100 | 0 0-4011 sync 188",
                "1 4000-8000 sync 100 | 1 4000-8000 sync 100 | 1 4011-8000 sync 187",
            ]
        )
    }

    @Test func aSecondVideoTrackMayHaveLongerGroups() {
        var driver = Driver(.video, .video)
        for time in stride(from: Int64(0), to: 13_000, by: 40) {
            driver.sample(Epoch.at(time), track: 0, isSync: time % 1_000 == 0)
            driver.sample(Epoch.at(time), track: 1, isSync: time % 5_000 == 0)
        }
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100 | 0 0-5000 sync 125", "1 4000-8000 sync 100 | 1 5000-10000 sync 125",
            ]
        )
    }

    @Test func withoutVideoTheGridsEdgesAreTheBoundaries() {
        var driver = Driver(.audio, .audio)
        driver.run(500..<13_000)
        #expect(
            driver.summaries == [
                "1 4011-8000 sync 187 | 1 4011-8000 sync 187", "2 8000-12011 sync 188 | 2 8000-12011 sync 188",
            ]
        )
    }

    @Test func audioThatBeginsOnAnEdgeFillsItsSlot() {
        var driver = Driver(.audio)
        driver.run(0..<4_100)
        #expect(driver.summaries == ["0 0-4011 sync 188"])
    }

    @Test func aNewConfigurationOfOneTrackIsADiscontinuityForAll() {
        var driver = Driver(.video, .audio)
        driver.run(0..<8_000)
        driver.configurations[0] = .avc(
            AVCConfiguration(
                sequenceParameterSets: [[0x67]],
                pictureParameterSets: [[0x68]],
                profile: 66,
                compatibility: 0,
                level: 30,
                picture: PictureFormat(width: 320, height: 180)
            )
        )
        driver.run(8_000..<17_000)
        #expect(driver.slots.map(\.startsDiscontinuity) == [false, false, true, false])
        #expect(driver.segmenter.configuration(of: 0) == driver.configurations[0])
    }

    // MARK: Tracks that stay away

    @Test func aTrackThatHasSentNothingHoldsTheStartBackForThreeSlots() {
        var driver = Driver(.video, .audio)
        driver.run(0..<12_000, tracks: [0])
        #expect(driver.slots.isEmpty)
        driver.run(12_000..<16_040, tracks: [0])
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100 | absent", "1 4000-8000 sync 100 | absent", "2 8000-12000 sync 100 | absent",
                "3 12000-16000 sync 100 | absent",
            ]
        )
        #expect(driver.segmenter.configuration(of: 1) == nil)
    }

    @Test func aTrackThatComesLaterJoinsWithItsFirstMedia() {
        var driver = Driver(.video, .audio)
        driver.run(0..<16_040, tracks: [0])
        driver.run(16_040..<30_000)
        #expect(driver.summaries.prefix(4).allSatisfy { $0.hasSuffix("absent") })
        #expect(driver.slots.contains { $0.segments[1]?.isGap == false })
        let joined = driver.slots.drop { $0.segments[1] == nil }
        #expect(joined.allSatisfy { $0.segments[1]?.isGap == false })
    }

    @Test func aTrackThatRestartsBeforeTheStartLosesWhatItHad() {
        var driver = Driver(.video, .video, .audio)
        driver.run(0..<5_000, tracks: [0, 1])
        driver.segmenter.inputRestarted(tracks: [1])
        driver.run(9_000..<13_000, tracks: [1])
        driver.run(0..<13_000, tracks: [2])
        driver.run(5_000..<13_000, tracks: [0])
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100 | absent | 0 0-4011 sync 188",
                "1 4000-8000 sync 100 | absent | 1 4011-8000 sync 187",
                "2 8000-12000 sync 100 | absent | 2 8000-12011 sync 188",
            ]
        )
    }

    @Test func aSilentLeaderDoesNotSilenceTheOthers() {
        var driver = Driver(.video, .video, .audio)
        for second in 0..<60 as Range<Int64> {
            driver.run(second * 1_000..<(second + 1) * 1_000, tracks: [1, 2])
            driver.advance(to: (second + 1) * 1_000)
        }
        #expect(driver.slots.count >= 8)
        #expect(driver.slots.allSatisfy { $0.segments[0] == nil })
        #expect(driver.slots.allSatisfy { $0.segments[1]?.isGap == false && $0.segments[2]?.isGap == false })
    }

    @Test func aTrackThatStopsIsAGapInEverySlot() {
        var driver = Driver(.video, .audio)
        driver.run(0..<8_040)
        driver.run(8_040..<20_000, tracks: [0])
        driver.advance(to: 24_000)
        #expect(
            driver.summaries
                == [
                    "0 0-4000 sync 100 | 0 0-4011 sync 188", "1 4000-8000 sync 100 | 1 4011-8000 sync 187",
                    "2 8000-12000 sync 100 | 2 8000-12011 sync 188", "3 12000-16000 sync 100 | 3 12011-16000 gap",
                    "4 16000-20000 sync 100 | 4 16000-20011 gap",
                ].prefix(driver.slots.count).map(\.self)
        )
        #expect(driver.slots.count >= 4)
    }

    // MARK: Time

    /// The slot's end, D/2 for a late sync sample, the feed's own delay, and half a second.
    @Test(arguments: [0, 300, 2_500] as [Int64])
    func aSlotIsGivenUpAtItsDeadline(late: Int64) {
        var driver = Driver(.video, .audio)
        driver.late = late
        driver.run(0..<5_000)
        let slot = MediaSequenceNumber(Epoch.slot.value + 1)
        let deadline = 8_000 + 2_000 + late + 500
        #expect(driver.segmenter.deadline(of: slot) == Epoch.at(deadline))
        driver.advance(to: deadline - 1)
        #expect(driver.slots.count == 1)
        driver.advance(to: deadline)
        #expect(driver.slots.count == 2)
        #expect(driver.slots.last?.segments[0]?.summary == "1 4000-8000 sync 25")
        driver.advance(to: deadline + 12_000)
        #expect(driver.summaries.suffix(3).map { $0.contains("gap | ") } == [true, true, true])
        #expect(driver.segmenter.next == MediaSequenceNumber(Epoch.slot.value + 5))
    }

    /// A server's buffer, or what a transcoder has gathered: five seconds at once, and then as it plays.
    @Test func theBacklogOfAStartMakesNoGapLate() {
        var driver = Driver(.video, .audio)
        for time in stride(from: Int64(0), to: 5_000, by: 500) {
            driver.late = 5_000 - time
            driver.run(time..<time + 500)
        }
        driver.late = 40
        driver.run(5_000..<7_000)
        let slot = MediaSequenceNumber(Epoch.slot.value + 1)
        #expect(driver.segmenter.deadline(of: slot) == Epoch.at(8_000 + 2_000 + 40 + 500))
    }

    @Test func aFeedThatWasAheadIsWaitedForOnceItsClockIsRight() {
        var driver = Driver(.video, .audio)
        driver.late = -8_000
        driver.run(0..<12_040)
        driver.late = 0
        for time in stride(from: Int64(4_000), to: 40_000, by: 500) {
            driver.advance(to: time)
            driver.run(time..<time + 500)
        }
        #expect(driver.summaries.count >= 8)
        #expect(driver.summaries.suffix(4).allSatisfy { !$0.contains("gap") }, "\(driver.summaries)")
    }

    @Test func nothingIsGivenUpBeforeThereWasAnything() {
        var driver = Driver(.video, .audio)
        driver.advance(to: 100_000)
        #expect(driver.slots.isEmpty)
        #expect(driver.segmenter.next == nil)
    }

    @Test func afterGapsMediaResumesInItsTrueSlot() {
        var driver = Driver(.video, .audio)
        driver.run(0..<5_000)
        for time in stride(from: Int64(5_000), to: 21_000, by: 200) { driver.advance(to: time) }
        driver.segmenter.inputRestarted(tracks: [0, 1])
        driver.run(21_000..<30_000)
        let numbers = driver.slots.map { $0.number.value - Epoch.slot.value }
        #expect(numbers == Array(0..<Int64(numbers.count)))
        let gaps = driver.slots.filter { $0.segments[0]?.isGap == true }.map { $0.number.value - Epoch.slot.value }
        #expect(gaps == [2, 3, 4])
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity })
    }

    // MARK: The end

    @Test func theEndHandsOnWhatIsThere() {
        var driver = Driver(.video, .audio)
        driver.run(0..<9_000)
        driver.end()
        #expect(
            driver.summaries == [
                "0 0-4000 sync 100 | 0 0-4011 sync 188", "1 4000-8000 sync 100 | 1 4011-8000 sync 187",
                "2 8000-9000 sync 25 | 2 8000-9003 sync 47",
            ]
        )
    }

    @Test func audioThatGoesOnAfterVideoHasEndedIsKept() {
        var driver = Driver(.video, .audio)
        driver.run(0..<3_000)
        driver.run(3_000..<13_000, tracks: [1])
        driver.end()
        #expect(
            driver.summaries == [
                "0 0-3000 sync 75 | 0 0-3008 sync 141", "1 3000-8000 gap | 1 3008-8000 sync 234",
                "2 8000-12000 gap | 2 8000-13013 sync 235",
            ]
        )
    }

    @Test func audioThatEndsBeforeTheFeedIsAGapToItsEnd() {
        var driver = Driver(.video, .audio, .audio)
        driver.run(0..<7_880)
        driver.run(7_880..<9_000, tracks: [0, 1])
        driver.end()
        #expect(driver.summaries.last == "2 8000-9000 sync 25 | 2 8000-9003 sync 47 | 2 8000-9003 gap")
    }

    @Test func noSegmentOutlastsTheTargetDurationAtTheEnd() {
        var driver = Driver(.video, .audio)
        driver.run(0..<400)
        driver.run(400..<25_000, tracks: [1])
        driver.end()
        for slot in driver.slots {
            for segment in slot.segments.compactMap(\.self) {
                #expect((segment.end.media - segment.start.media).seconds.rounded() <= 6, "\(slot.summary)")
            }
        }
        #expect(driver.slots.last?.segments[1]?.end.media ?? .zero > Epoch.at(25_000))
    }

    @Test func feedShorterThanASlotIsOneSegment() {
        var driver = Driver(.video, .audio)
        driver.run(0..<1_000)
        driver.end()
        #expect(driver.summaries == ["0 0-1000 sync 25 | 0 0-1003 sync 47"])
    }

    @Test func audioFeedEndsWithItsLastFrame() {
        var driver = Driver(.audio)
        driver.run(0..<9_000)
        driver.end()
        #expect(driver.summaries == ["0 0-4011 sync 188", "1 4011-8000 sync 187", "2 8000-9003 sync 47"])
    }

    @Test func feedWithoutSamplesHasNoSlots() {
        var driver = Driver(.video, .audio)
        driver.end()
        #expect(driver.slots.isEmpty)
    }
}
