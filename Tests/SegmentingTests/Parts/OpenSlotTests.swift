import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing

@testable import Segmenting

/// The parts of a slot that is being filled.
@Suite struct OpenSlotTests {
    private static let number = MediaSequenceNumber(448_750_000)

    /// Members of a pair hear the same pictures in portions of their own, and tell the same parts.
    ///
    /// Pictures last 3,754 and 3,753 ticks in turn, and a part has room for 24 of them to the tick.
    @Test(arguments: [1, 2, 3, 7, 23, 96])
    func portionsInWhichMediaComesDoNotMoveParts(count: Int) {
        let durations = (0..<96).map { UInt32($0.isMultiple(of: 2) ? 3_754 : 3_753) }
        let begin = MediaTime(seconds: Self.number.value * 4)
        var slot = OpenSlot(
            Self.number,
            after: SegmentEnd(Boundary(media: begin, utcOffset: .zero)),
            source: 0,
            longest: MediaTime(ticks: 12 * (3_754 + 3_753)),
            longestSegment: MediaTime(seconds: 6)
        )
        var time = begin.ticks
        for first in stride(from: 0, to: durations.count, by: count) {
            let portion = media(durations[first..<min(first + count, durations.count)], at: time)
            let isWhole = slot.append(portion)
            #expect(isWhole)
            time += portion.duration
        }
        slot.flush()
        #expect(slot.parts.map(\.samples.count) == [23, 24, 24, 24, 1])
    }

    private func media(_ durations: ArraySlice<UInt32>, at time: Int64) -> CutSegment {
        let duration = durations.reduce(0) { $0 + Int64($1) }
        return CutSegment(
            number: Self.number,
            start: Boundary(media: MediaTime(ticks: time), utcOffset: .zero),
            end: Boundary(media: MediaTime(ticks: time + duration), utcOffset: .zero),
            timescale: MediaTime.timescale,
            decodeTime: time,
            duration: duration,
            samples: durations.map { FragmentSample(duration: $0, isSync: true, payload: ByteBuffer()) },
            configuration: .avc(SyntheticTracks.video)
        )
    }
}
