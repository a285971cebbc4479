import MediaCore
import Playlists
import Presentation
import Segmenting
import SegmentingSupport
import Testing
import Timeline

@testable import Channels

/// The counts for operators equal those of a walk through the window.
@Suite struct ListedCountersTests {
    @Test func countersCountListedSlots() throws {
        let fixture = ChannelFixture(source: .pts)
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        #expect(fixture.channel.counters.renditions.isEmpty && fixture.channel.counters.liveEdge == nil)
        for round in 0..<Int64(3) {
            feed.sendLive(round * 9_000..<(round + 1) * 9_000, at: round * 9_000, to: input, of: fixture)
            expectEqual(fixture)
        }
        input.inputLost(reason: "cut")
        fixture.wait(until: 40_000)
        expectEqual(fixture)
        #expect(fixture.channel.counters.renditions.values.contains { $0.gaps > 0 })
        let saved = fixture.presentation.saved
        let bodies = saved.files.compactMap { file in fixture.bytes(file.path).map { (file.path, $0) } }
        let successor = ChannelFixture(source: .pts)
        successor.clock.set(Epoch.at(41_000))
        successor.channel.restore(RestoredWindow(window: saved, bodies: Dictionary(uniqueKeysWithValues: bodies)))
        expectEqual(successor)
    }

    /// A peer may say that a segment plays for less than a tick.
    @Test func segmentsOfNoLengthHaveNoBandwidth() throws {
        func segment(_ value: Int64, of timescale: Int64, isGap: Bool = false) -> WindowSnapshot.Segment {
            WindowSnapshot.Segment(
                sequence: MediaSequenceNumber(1),
                start: .zero,
                duration: SegmentDuration(value: value, timescale: timescale),
                isGap: isGap,
                startsDiscontinuity: false,
                keyURIs: [],
                byteCount: isGap ? 0 : 500_000
            )
        }
        var counted = ListedCounters.Rendition()
        counted.newest = [segment(1, of: 1 << 24), segment(0, of: 90_000), segment(4, of: 1, isGap: true)]
        #expect(counted.bandwidth == nil)
        counted.newest += [segment(4, of: 1), segment(2, of: 1)]
        let bandwidth = try #require(counted.bandwidth)
        #expect(bandwidth == (peak: 2_000_000, average: 1_333_333))
    }

    private func expectEqual(_ fixture: ChannelFixture) {
        let (snapshot, counters) = (fixture.presentation.snapshot(), fixture.channel.counters)
        #expect(counters.liveEdge == snapshot.liveEdge)
        for rendition in snapshot.renditions {
            let counted = counters.renditions[rendition.id] ?? ListedCounters.Rendition()
            let gaps = rendition.segments.count(where: \.isGap)
            #expect(counted.gaps == gaps && counted.segments == rendition.segments.count - gaps)
            #expect(counted.newest == rendition.segments.suffix(ListedCounters.newestCount))
        }
    }
}
