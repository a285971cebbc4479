import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

@Suite struct LadderWatchTests {
    /// A slot of two videos of 25 pictures a second, the second one so many milliseconds behind the first.
    private static func slot(_ number: Int64, offset: Int64?, filler: CutSegment.Filler? = nil) -> Slot {
        func cut(_ offset: Int64, _ filler: CutSegment.Filler? = nil) -> CutSegment {
            let start = Boundary(media: Epoch.at(number * 4_000 + offset), utcOffset: .zero)
            return CutSegment(
                number: MediaSequenceNumber(number),
                start: start,
                end: start,
                timescale: 90_000,
                decodeTime: start.media.ticks,
                duration: 360_000,
                samples: [FragmentSample(duration: 3_600, isSync: true, payload: ByteBuffer())],
                configuration: .avc(SyntheticTracks.video),
                filler: filler
            )
        }
        return Slot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: false,
            segments: [cut(0), offset.map { cut($0, filler) }],
            sources: [0, 0]
        )
    }

    /// The first rung has gone, and the others continue beside each other.
    @Test func whereTheLeaderHasLeftTheOthersAreCompared() {
        func slot(_ number: Int64, of videos: [Int64?]) -> Slot {
            var slot = Self.slot(number, offset: nil)
            slot.segments = videos.map { $0.flatMap { Self.slot(number, offset: $0).segments[1] } }
            return slot
        }
        var watch = LadderWatch()
        #expect(watch.observe(slot(1, of: [0, 480, 480]), areInSync: Self.areInSync).map(\.track) == [1, 2])
        #expect(watch.observe(slot(2, of: [nil, 480, 480]), areInSync: Self.areInSync).isEmpty)
        #expect(watch.observe(slot(3, of: [nil, 480, 0]), areInSync: Self.areInSync).map(\.track) == [2])
    }

    private static func areInSync(_: TrackIndex, _: TrackIndex) -> Bool { true }

    @Test(arguments: [0, 40, -40] as [Int64])
    func aFrameIsNoMisalignment(offset: Int64) {
        var watch = LadderWatch()
        #expect(watch.observe(Self.slot(1, offset: offset), areInSync: Self.areInSync).isEmpty)
    }

    @Test func misalignmentIsSaidOnceWithItsMeasureAndAgainWhenItChangesOrEnds() {
        var watch = LadderWatch()
        #expect(
            watch.observe(Self.slot(1, offset: 480), areInSync: Self.areInSync).map(\.news) == [
                "its key frames are not aligned with the others': segment 1 starts 480 ms behind theirs"
            ]
        )
        #expect(watch.observe(Self.slot(2, offset: 480), areInSync: Self.areInSync).isEmpty)
        #expect(
            watch.observe(Self.slot(3, offset: -200), areInSync: Self.areInSync).map(\.news) == [
                "its key frames are not aligned with the others': segment 3 starts 200 ms before theirs"
            ]
        )
        #expect(
            watch.observe(Self.slot(4, offset: 0), areInSync: Self.areInSync).map(\.news) == [
                "its segments start with the others' again"
            ]
        )
        #expect(watch.observe(Self.slot(5, offset: 0), areInSync: Self.areInSync).isEmpty)
    }

    /// Two feeds are each placed by its arrival, and nothing is known of their key frames.
    @Test func feedsThatShareNoClockAreNotSaidToHaveWrongKeyFrames() {
        var watch = LadderWatch()
        #expect(
            watch.observe(Self.slot(1, offset: 480), areInSync: { _, _ in false }).map(\.news) == [
                "its feed shares no clock with the others, and is aligned by its arrival: segment 1 starts 480 ms "
                    + "behind theirs"
            ]
        )
    }

    @Test func whatIsNoMediaOfAFeedSaysNothingOfItsKeyFrames() {
        var watch = LadderWatch()
        #expect(watch.observe(Self.slot(1, offset: 480, filler: .hold), areInSync: Self.areInSync).isEmpty)
        #expect(watch.observe(Self.slot(2, offset: nil), areInSync: Self.areInSync).isEmpty)
    }
}
