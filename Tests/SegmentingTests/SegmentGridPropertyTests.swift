import ISOBMFF
import MediaCore
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// The grid's rules hold, whatever the feed; ``SimulatedChannel`` checks them for every slot.
@Suite struct SegmentGridPropertyTests {
    static let start = MediaTime(milliseconds: 1_795_000_001_234)
    static let frameRates = [
        Ratio(24000, 1001), Ratio(25, 1), Ratio(30000, 1001), Ratio(30, 1), Ratio(50, 1), Ratio(60000, 1001),
    ]

    @Test(arguments: frameRates, [0, 2])
    func keyFramesEverySecondNeedNoForcedCut(frameRate: Ratio, bFrames: Int) {
        var generator = SeededGenerator(seed: 1)
        let framesPerGOP = (frameRate.numerator + frameRate.denominator / 2) / frameRate.denominator
        let feed = SyntheticFeed(frameRate: frameRate, framesPerGOP: framesPerGOP, bFrames: bFrames, jitter: 2700)
        var channel = SimulatedChannel(start: Self.start)
        feed.packets(start: Self.start, duration: MediaTime(seconds: 120), generator: &generator) {
            channel.receive($0)
        }
        #expect(channel.slotCount >= 27)
        #expect(channel.forcedCuts == 0)
        #expect(channel.gapCount == 0)
        #expect(channel.discontinuities == 0)
        let firstSamplesAreSync = channel.slots.allSatisfy { $0.segments[0]?.samples.first?.isSync ?? false }
        #expect(firstSamplesAreSync)
    }

    @Test(arguments: 0..<40)
    func rulesHoldForAnyGroupOfPictures(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let feed = SyntheticFeed(
            frameRate: Self.frameRates[Int.random(in: 0..<6, using: &generator)],
            framesPerGOP: Int.random(in: 1...400, using: &generator),
            bFrames: Int.random(in: 0...3, using: &generator),
            audioRate: [44_100, 48_000, 32_000][Int.random(in: 0..<3, using: &generator)],
            drift: Int.random(in: -100...100, using: &generator),
            firstTimestamp: Int64.random(in: 0..<(1 << 33), using: &generator),
            jitter: Int64.random(in: 0...18_000, using: &generator)
        )
        let durations = [1_000, 1_920, 2_000, 2_002, 4_000, 6_000, 10_000]
        let duration = durations[Int.random(in: 0..<7, using: &generator)]
        var channel = SimulatedChannel(
            slotDuration: MediaTime(milliseconds: Int64(duration)),
            start: Self.start + MediaTime(ticks: Int64.random(in: 0..<900_000, using: &generator))
        )
        feed.packets(start: channel.now, duration: MediaTime(seconds: 90), generator: &generator) {
            channel.receive($0)
        }
        // The start may have to wait for a second key frame.
        #expect(channel.slotCount > 70_000 / duration - 5)
        #expect(channel.gapCount == 0)
    }

    /// Every packet of the week has its place on the timeline; slots are cut where it matters: around each wrap, at both
    /// ends, and here and there.
    @Test(arguments: [-100, 100])
    func aWeekOfDriftAndSevenWrapsNeedNoRepair(drift: Int) {
        var generator = SeededGenerator(seed: 7)
        let firstWrap = MediaTime(seconds: 600)
        let feed = SyntheticFeed(
            frameRate: Ratio(1, 2),
            framesPerGOP: 1,
            bFrames: 0,
            hasAudio: false,
            drift: drift,
            firstTimestamp: (1 << 33) - firstWrap.ticks
        )
        let (week, span) = (MediaTime(seconds: 7 * 24 * 3600), MediaTime(seconds: 120))
        let wraps = (0..<7).map { firstWrap + MediaTime(ticks: $0 << 33) - MediaTime(seconds: 60) }
        let places = (0..<20).map { _ in MediaTime(ticks: .random(in: 0..<week.ticks, using: &generator)) }
        var visits = ([.zero, week - span * 2] + wraps + places).sorted()[...]
        var timeline = SimulatedChannel(hasAudio: false, start: Self.start).timeline
        var clocks = ArrivalClocks()
        var visited: SimulatedChannel?
        feed.packets(start: Self.start, duration: week, generator: &generator) { packet in
            while let visit = visits.first, packet.arrival - Self.start >= visit + span {
                visits.removeFirst()
                guard let channel = visited else { continue }
                Self.expectSlotsOnTime(channel, seconds: 100)
                (timeline, clocks) = (channel.timeline, channel.clocks)
                visited = nil
            }
            if let visit = visits.first, packet.arrival - Self.start >= visit {
                if visited == nil {
                    visited = SimulatedChannel(hasAudio: false, start: packet.arrival)
                    visited?.timeline = timeline
                    visited?.clocks = clocks
                }
                visited?.receive(packet)
            } else {
                _ = timeline.received(
                    packet.info,
                    canAnchor: packet.isSync,
                    arrival: packet.arrival,
                    clocks: &clocks
                )
            }
        }
        #expect(visits.count <= 1, "all but what ends with the week are over")
        #expect(timeline.takeRepairs().isEmpty)
        // Media time is never stretched, so after a week it is a minute away from UTC; PDT is not.
        let drifted = (visited?.timeline ?? timeline).utcOffset.seconds
        #expect(abs(abs(drifted) - 60.48) < 1, "\(drifted)")
    }

    /// The newest slot ended just now, and so many seconds before it are whole.
    private static func expectSlotsOnTime(_ channel: SimulatedChannel, seconds: Int) {
        #expect(channel.slotCount >= seconds / 4)
        #expect(channel.gapCount == 0)
        #expect(channel.repairs.isEmpty)
        let newest = channel.slots.last?.segments[0]?.end.utc ?? .zero
        #expect(channel.now - newest < MediaTime(seconds: 9))
    }
}
