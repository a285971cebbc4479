import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import MPEGTS
@testable import Packaging
@testable import Segmenting

/// Decode times over all segments of a rendition, whatever the reordering is from one key frame to the next.
@Suite struct DecodeTimeTests {
    private static let frame: Int64 = 3600
    /// Groups of pictures in order of decoding, and by how many frames that is ahead of presentation.
    private static let groups: [(order: [Int64], reordering: Int64)] = [
        (Array(0..<12), 0), ([0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 11, 10], 1),
        ([0, 4, 2, 1, 3, 8, 6, 5, 7, 11, 10, 9], 2),
    ]

    /// Segments of a feed whose encoder changes its mind about B pictures, with the same parameter sets: what it decodes
    /// ahead it has to find time for.
    private func cuts(seed: UInt64) -> [CutSegment] {
        var random = SeededGenerator(seed: seed)
        var cutter = VideoCutter(BoundaryPlan(grid: SegmentGrid(slotDuration: MediaTime(seconds: 2))))
        var cuts: [CutSegment] = []
        var (start, last) = (MediaTime(seconds: 1_795_000_000).ticks, Int64.min)
        for _ in 0..<60 {
            let (order, reordering) = Self.groups[Int.random(in: 0..<3, using: &random)]
            start = max(start, last &+ (reordering + 1) * Self.frame)
            for (index, shown) in zip(Int64(0)..., order) {
                last = start + (index - reordering) * Self.frame
                let sample = Sample(
                    decodeTime: MediaTime(ticks: last),
                    presentationTime: MediaTime(ticks: start + shown * Self.frame),
                    isSync: index == 0,
                    payload: ByteBuffer()
                )
                cuts += cutter.received(sample, newConfiguration: .avc(SyntheticTracks.video), utcOffset: .zero)
            }
            start += Int64(order.count) * Self.frame
        }
        return cuts
    }

    private func expectRising(_ times: [(decode: Int64, presentation: Int64)]) {
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.decode < $1.decode })
        #expect(times.allSatisfy { $0.decode <= $0.presentation })
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func decodeTimesOfTransportStreamsRise(seed: UInt64) throws {
        let pictures = try #require(ElementaryPictures(.avc(SyntheticTracks.video)))
        let units = try cuts(seed: seed).flatMap { try pictures.accessUnits(of: $0, nil) }
        #expect(units.count > 500)
        expectRising(units.map { ($0.decodeTime, $0.presentationTime) })
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func decodeTimesOfMovieFragmentsRise(seed: UInt64) {
        let times = cuts(seed: seed).flatMap { cut in
            var cut = cut
            cut.samples = cut.samples.decodedBeforePresentation
            return cut.times
        }
        #expect(times.count > 500)
        expectRising(times)
    }
}
