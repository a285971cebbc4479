import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// The first slot of video after those of an earlier run, where the feed is read once more from somewhere before it.
@Suite struct RepetitionTests {
    /// One key frame a slot, 4 s apart, in slots of 4 s: on the edge, and from 2,010 ms before it to 2,010 ms after it.
    ///
    /// The earlier run has ended with slot 2. The key frame that slot 3 begins with is enough, and others before it
    /// change nothing.
    @Test(
        arguments: [9_990, 10_000, 10_005, 10_020, 11_000, 12_000, 12_400, 13_990, 14_000, 14_005, 14_010] as [Int64],
        [0, 1, 2] as [Int64]
    )
    func itBeginsWhereTheEarlierRunEnded(end: Int64, keyFramesBefore: Int64) {
        let slots = Self.slots(after: end, from: end - keyFramesBefore * 4_000)
        #expect(slots.first?.summary == "3 \(end)-\(end + 4_000) sync 100")
    }

    /// Times in UTC were slewed meanwhile.
    @Test(arguments: [-8, 8] as [Int64])
    func aKeyFrameNearTheEndIsTheOne(distance: Int64) throws {
        let slot = try #require(Self.slots(after: 13_500, from: 13_500 + distance).first)
        #expect(slot.number.value - Epoch.slot.value == 3)
        #expect(slot.segments[0]?.isGap == false && slot.segments[0]?.samples.count == 100)
    }

    /// What was published ends elsewhere than this feed can have begun a slot.
    @Test func anEndFarFromItsSlotSaysNothing() {
        let slots = Self.slots(after: 9_000, from: 5_000)
        #expect(slots.first?.number.value == Epoch.slot.value + 3)
        #expect(slots.first?.segments[0]?.samples.count == 100, "its own, which begin at 13,000")
    }

    /// Slots after slot 2 of a feed with a picture every 40 ms, and a key frame every 4 s from its start on.
    ///
    /// - Parameters:
    ///   - end: The end of slot 2, as it was published, in milliseconds.
    ///   - start: The time of the first picture that is read.
    /// - Returns: The slots.
    private static func slots(after end: Int64, from start: Int64) -> [Slot] {
        var segmenter = Segmenter(grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)))
        segmenter.addTrack(.video)
        let boundary = Boundary(media: Epoch.at(end), utcOffset: .zero)
        segmenter.resume(after: MediaSequenceNumber(Epoch.slot.value + 2), ends: [SegmentEnd(boundary)])
        segmenter.awaitRepetition(until: Epoch.at(end + 8_000))
        var slots: [Slot] = []
        for time in stride(from: start, to: end + 8_100, by: 40) {
            let sample = Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(time),
                isSync: (time - start) % 4_000 == 0,
                payload: ByteBuffer(bytes: [1])
            )
            slots += segmenter.received(
                sample,
                track: 0,
                configuration: .avc(SyntheticTracks.video),
                utcOffset: .zero,
                arrival: Epoch.at(time)
            )
        }
        return slots
    }
}
