import ISOBMFF
import MediaCore
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// A channel whose encoder dies, returns, jumps or lies.
@Suite struct LossTests {
    static let start = MediaTime(seconds: 1_795_000_000)
    private var generator = SeededGenerator(seed: 3)

    /// Sends a feed for a while, with its timestamps from `from` on.
    private mutating func send(
        _ feed: SyntheticFeed,
        to channel: inout SimulatedChannel,
        from: Int64 = 0,
        seconds: Int64,
        where isKept: (SyntheticFeed.Packet) -> Bool = { _ in true }
    ) {
        feed.packets(
            start: channel.now,
            from: MediaTime(seconds: from),
            duration: MediaTime(seconds: seconds),
            generator: &generator
        ) { packet in
            if isKept(packet) { channel.receive(packet) }
        }
    }

    /// Nothing arrives, but the clock continues.
    private func wait(_ channel: inout SimulatedChannel, seconds: Int64) {
        let end = channel.now + MediaTime(seconds: seconds)
        while channel.now < end { channel.advance(to: channel.now + MediaTime(milliseconds: 100)) }
    }

    @Test mutating func aDeadEncoderLeavesGapsOnTimeAndReturnsInItsTrueSlot() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(), to: &channel, seconds: 30)
        let lost = channel.now
        wait(&channel, seconds: 21)
        let gaps = channel.slots.filter { $0.segments.allSatisfy { $0?.isGap ?? false } }
        // 21 s without media hold at least four whole slots of 4 s, of which the last may not be due yet.
        #expect(gaps.count >= 3)
        #expect(channel.now - (channel.slots.last?.segments[0]?.end.utc ?? .zero) < MediaTime(seconds: 9))
        channel.reopen()
        send(SyntheticFeed(firstTimestamp: 77_000_000), to: &channel, seconds: 20)
        #expect(channel.discontinuities == 0)
        let back = channel.slots.first { $0.number > channel.grid.slot(at: lost) && $0.segments[0]?.isGap == false }
        #expect(back?.number == channel.grid.slot(at: lost + MediaTime(seconds: 21)))
        let whole = channel.slots.filter { $0.segments.contains { $0?.isGap ?? true } }
        #expect(whole.count == 4 || whole.count == 5, "never more than one slot around an event: \(whole.count)")
    }

    @Test mutating func audioAloneIsLostAlone() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(), to: &channel, seconds: 20)
        send(SyntheticFeed(), to: &channel, from: 20, seconds: 16) { $0.info.trackIndex == 0 }
        send(SyntheticFeed(), to: &channel, from: 36, seconds: 16)
        wait(&channel, seconds: 8)
        #expect(channel.slots.contains { $0.segments[0]?.isGap == false && $0.segments[1]?.isGap == true })
        #expect(channel.slots.last { $0.segments[1]?.isGap == false } != nil)
        let videoGaps = channel.slots.dropLast(2).count { $0.segments[0]?.isGap ?? true }
        #expect(videoGaps == 0)
    }

    @Test mutating func aShortHoleIsHeldAndFilledWithSilence() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(), to: &channel, seconds: 20)
        let hole = (channel.now + MediaTime(milliseconds: 500), channel.now + MediaTime(milliseconds: 2000))
        send(SyntheticFeed(), to: &channel, from: 20, seconds: 20) { !($0.arrival > hole.0 && $0.arrival < hole.1) }
        #expect(channel.gapCount == 0)
        #expect(channel.discontinuities == 0)
        #expect(channel.slots.contains { $0.segments[0]?.samples.contains { $0.duration > 90_000 } ?? false })
    }

    @Test(arguments: [-3_600, -5, 7, 3_600])
    mutating func aJumpOfTimestampsMovesNothing(seconds: Int64) {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(firstTimestamp: 4_000 * 90_000), to: &channel, seconds: 22)
        send(
            SyntheticFeed(firstTimestamp: (4_000 + seconds) * 90_000),
            to: &channel,
            from: 22,
            seconds: 22
        )
        #expect(channel.gapCount == 0)
        #expect(channel.repairs[.reanchoredClock] == 1)
        #expect(channel.discontinuities == 0)
        #expect(channel.slotCount >= 9)
    }

    @Test mutating func aPausedEncoderThatGoesOnWhereItStoppedFindsItsNewPlace() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(), to: &channel, seconds: 20)
        wait(&channel, seconds: 15)
        send(SyntheticFeed(), to: &channel, from: 20, seconds: 30)
        #expect(channel.repairs[.reanchoredClock] == 1)
        let last = channel.slots.last
        #expect(last?.segments[0]?.isGap == false)
        #expect(channel.now - (last?.segments[0]?.end.utc ?? .zero) < MediaTime(seconds: 9))
    }

    @Test mutating func aChangedConfigurationIsADiscontinuityForAllRenditions() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(), to: &channel, seconds: 21)
        channel.videoConfiguration.picture.width = 1280
        send(SyntheticFeed(), to: &channel, from: 21, seconds: 21)
        #expect(channel.discontinuities == 1)
        #expect(channel.gapCount == 0)
        for slot in channel.slots {
            let next = channel.slots.first { $0.number == slot.number.next }
            #expect(
                next?.startsDiscontinuity != true || next?.segments[0]?.configuration != slot.segments[0]?.configuration
            )
        }
    }

    @Test mutating func keyFramesTooFarApartAreCutByForceAndSaidSo() {
        var channel = SimulatedChannel(start: Self.start)
        send(SyntheticFeed(framesPerGOP: 250), to: &channel, seconds: 60)
        #expect(channel.forcedCuts > 0)
        #expect(channel.gapCount == 0)
    }

    @Test mutating func aFiniteFeedIsWholeFromItsFirstFrameToItsLast() {
        var channel = SimulatedChannel(
            source: .arrival,
            pace: .stored,
            start: Self.start + MediaTime(milliseconds: 1_700)
        )
        channel.keepsSlots = true
        var frames = 0
        send(SyntheticFeed(), to: &channel, seconds: 30) { packet in
            if packet.info.trackIndex == 0 { frames += 1 }
            return true
        }
        channel.end()
        let packaged = channel.slots.reduce(0) { $0 + ($1.segments[0]?.samples.count ?? 0) }
        #expect(packaged == frames)
        #expect(channel.slotCount == 8)
    }

    @Test mutating func twoPackagersOnAFeedOfUTCTimestampsCutTheSame() {
        // One of them joins 26 s later; the feed's presentation timestamps are UTC modulo 2^33.
        let modulus = Int64(1) << 33
        let feed = SyntheticFeed(
            frameRate: Ratio(30000, 1001),
            framesPerGOP: 30,
            firstTimestamp: Self.start.ticks % modulus
        )
        var first = SimulatedChannel(source: .pts, start: Self.start)
        var second = SimulatedChannel(source: .pts, start: Self.start)
        let join = Self.start + MediaTime(seconds: 26)
        send(feed, to: &first, seconds: 80)
        send(feed, to: &second, seconds: 80) { $0.arrival > join }
        #expect(second.slotCount >= 10)
        for slot in second.slots {
            guard let same = first.slots.first(where: { $0.number == slot.number }) else {
                Issue.record("slot \(slot.number) is missing")
                continue
            }
            for (one, other) in zip(slot.segments, same.segments) {
                #expect(one?.decodeTime == other?.decodeTime)
                #expect(one?.duration == other?.duration)
                #expect(one?.start == other?.start)
                #expect(one?.samples.map(\.duration) == other?.samples.map(\.duration))
                #expect(one?.samples.map(\.compositionOffset) == other?.samples.map(\.compositionOffset))
            }
        }
    }
}
