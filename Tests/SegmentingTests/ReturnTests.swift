import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Media that comes back, and what is shown until then.
@Suite struct ReturnTests {
    @Test(arguments: Array(stride(from: 0, to: 1_000, by: 50)) + Array(stride(from: 600, to: 700, by: 4)) as [Int64])
    func mediaThatReturnsAnywhereInASlotIsCutAtKeyFrames(phase: Int64) {
        var generator = SeededGenerator(seed: 5)
        var channel = SimulatedChannel(slotDuration: MediaTime(seconds: 1), start: LossTests.start)
        var feed = SyntheticFeed()
        for first in [126_000, 77_000_000] as [Int64] {
            feed.firstTimestamp = first
            feed.packets(start: channel.now, duration: MediaTime(seconds: 10), generator: &generator) {
                channel.receive($0)
            }
            let back = channel.now + MediaTime(milliseconds: 5_000 + phase)
            while channel.now < back { channel.advance(to: channel.now + MediaTime(milliseconds: 50)) }
            channel.reopen()
        }
        #expect(channel.forcedCuts == 0)
        let media = channel.slots.compactMap { $0.segments[0] }.filter { !$0.isGap }
        #expect(media.count >= 18)
        #expect(media.allSatisfy { $0.samples[0].isSync })
    }

    @Test func whatIsLeftOverOfASlotMakesNoSampleOfItsOwn() {
        let start = Boundary(media: .zero, utcOffset: .zero)
        for (ticks, count) in [(90_000, 1), (90_018, 1), (134_999, 1), (135_000, 2), (44_000, 1), (180_000, 2)] {
            let gap = CutSegment(
                number: MediaSequenceNumber(1),
                start: start,
                end: Boundary(media: MediaTime(ticks: Int64(ticks)), utcOffset: .zero, after: start),
                timescale: 90_000,
                decodeTime: 0,
                duration: Int64(ticks),
                samples: [],
                configuration: nil
            )
            let filled = gap.filled(by: .hold, .avc(SyntheticTracks.video), timescale: 90_000) { _ in
                FragmentSample(duration: 90_000, isSync: true, payload: ByteBuffer())
            }
            #expect(filled.samples.count == count)
            #expect(filled.samples.reduce(0) { $0 + Int64($1.duration) } == Int64(ticks))
        }
    }
}
