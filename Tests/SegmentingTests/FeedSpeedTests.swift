import MediaCore
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Feeds that come too fast, too slowly or in a burst; ``SimulatedChannel`` checks that nothing is published too early.
@Suite struct FeedSpeedTests {
    private static let start = MediaTime(milliseconds: 1_795_000_001_234)

    /// Sends a feed that arrives as `arrival` says of its media time, then nothing any more.
    private func run(
        slotSeconds: Int64,
        seconds: Int64,
        jitter: Int64 = 2_700,
        arrival: (MediaTime) -> MediaTime
    ) -> SimulatedChannel {
        var generator = SeededGenerator(seed: 5)
        var channel = SimulatedChannel(slotDuration: MediaTime(seconds: slotSeconds), start: Self.start)
        let feed = SyntheticFeed(framesPerGOP: 12, jitter: jitter)
        feed.packets(start: .zero, duration: MediaTime(seconds: seconds), generator: &generator) { packet in
            var packet = packet
            packet.arrival = max(channel.now, Self.start + arrival(packet.arrival))
            channel.receive(packet)
        }
        return channel
    }

    /// Its encoder dies: the gap comes when viewers expect the next segment.
    private func expectGapOnTime(_ channel: inout SimulatedChannel, sourceLocation: SourceLocation = #_sourceLocation) {
        let dead = channel.now
        while channel.now < dead + MediaTime(seconds: 60) {
            channel.advance(to: channel.now + MediaTime(milliseconds: 100))
        }
        guard let gap = channel.publications.first(where: { $0.at > dead && $0.isGap }) else {
            Issue.record("there is no gap", sourceLocation: sourceLocation)
            return
        }
        let latest = channel.grid.start(of: gap.slot.next) + channel.grid.tolerance + MediaTime(milliseconds: 900)
        #expect(gap.at <= latest, "\((gap.at - latest).milliseconds) ms late", sourceLocation: sourceLocation)
        // RFC 8216bis § 6.2.2: a playlist that is not updated for 1.5 target durations is stale.
        let before = channel.publications.last { $0.slot < gap.slot }?.at ?? dead
        let waited = gap.at - before
        let most = MediaTime(seconds: Int64(channel.grid.targetDuration)) + channel.grid.tolerance
        #expect(waited <= most, "\(waited.milliseconds) ms", sourceLocation: sourceLocation)
    }

    @Test(arguments: [1, 2, 4, 10] as [Int64], [101, 105, 120, 200, 300, 800] as [Int64])
    func aFeedThatIsTooFastIsCutToTime(slotSeconds: Int64, percent: Int64) {
        var channel = run(slotSeconds: slotSeconds, seconds: 120 * percent / 100) {
            MediaTime(ticks: $0.ticks * 100 / percent)
        }
        #expect(channel.slotCount >= 100 / Int(slotSeconds) - 2)
        // What is played is never old.
        let newest = channel.slots.last.map { channel.grid.start(of: $0.number.next) } ?? .zero
        #expect(channel.now - newest <= channel.grid.slotDuration * 2 + MediaTime(seconds: 1))
        expectGapOnTime(&channel)
    }

    @Test(arguments: [1, 2, 4] as [Int64], [90, 95] as [Int64])
    func aFeedThatIsTooSlowKeepsUp(slotSeconds: Int64, percent: Int64) {
        let channel = run(slotSeconds: slotSeconds, seconds: 120) { MediaTime(ticks: $0.ticks * 100 / percent) }
        let newest = channel.slots.last.map { channel.grid.start(of: $0.number.next) } ?? .zero
        #expect(channel.now - newest <= channel.grid.slotDuration * 2 + MediaTime(seconds: 2))
    }

    /// A server's buffer of 18 seconds in bursts, as over a path with a round trip of 150 ms, then on time.
    @Test(arguments: [1, 2, 4] as [Int64], [4, 40, 150] as [Int64])
    func aFeedThatBeginsWithABurstLosesNothing(slotSeconds: Int64, roundTrip: Int64) {
        let backlog = MediaTime(seconds: 18)
        let lump = MediaTime(milliseconds: roundTrip)
        var channel = run(slotSeconds: slotSeconds, seconds: 90, jitter: 0) { time in
            max(time - backlog, lump * (time.ticks / MediaTime.timescale))
        }
        #expect(channel.repairs.isEmpty)
        #expect(channel.gapCount == 0)
        // The burst is published as what has gone by.
        let first = channel.slots.first.map { channel.grid.start(of: $0.number) } ?? .zero
        #expect(first <= Self.start - backlog + channel.grid.slotDuration * 2 + MediaTime(seconds: 3))
        expectGapOnTime(&channel)
    }

    /// The age of the burst does not tell when the next slot is late.
    @Test(arguments: [1, 2, 4] as [Int64])
    func theGapOfAFeedThatDiesSoonAfterItsBurstIsOnTime(slotSeconds: Int64) {
        let backlog = MediaTime(seconds: 18)
        var channel = run(slotSeconds: slotSeconds, seconds: 26, jitter: 0) { time in
            max(time - backlog, MediaTime(milliseconds: 40) * (time.ticks / MediaTime.timescale))
        }
        expectGapOnTime(&channel)
    }

    /// A transcoder pours out what it gathered while it probed, at 1.2 and at 5 times the speed of life.
    @Test(arguments: [1, 2, 4] as [Int64], [120, 500] as [Int64])
    func aTranscodersBacklogEndsInTrueTime(slotSeconds: Int64, percent: Int64) {
        let backlog = MediaTime(seconds: 5)
        var channel = run(slotSeconds: slotSeconds, seconds: 90) { time in
            max(time, backlog + MediaTime(ticks: time.ticks * 100 / percent))
        }
        expectGapOnTime(&channel)
    }
}
