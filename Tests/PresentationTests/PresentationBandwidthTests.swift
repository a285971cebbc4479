import Foundation
import MediaCore
import Testing

@testable import Playlists
@testable import Presentation

@Suite struct PresentationBandwidthTests {
    @Test(arguments: [
        (1, 1), (99, 99), (100, 100), (101, 110), (1000, 1000), (1001, 1100), (5_123_456, 5_200_000),
        (9_900_001, 10_000_000), (0, 0),
    ])
    func declaredBandwidthIsRoundedUpToTwoDigits(measured: Int, declared: Int) {
        let bandwidth = Bandwidth(peak: measured, average: measured).declared
        #expect(bandwidth == Bandwidth(peak: declared, average: declared))
    }

    /// A meter of slots of 4 s: a block has 15 of them, from a multiple of 15 on.
    private struct Meter {
        var meter = BandwidthMeter(targetDuration: 6)
        var slot = MediaSequenceNumber(1500)

        mutating func add(_ byteCount: Int, seconds: Double = 4) {
            let duration = SegmentDuration(value: Int64(seconds * 1_000_000), timescale: 1_000_000)
            meter.add(byteCount: byteCount, duration: duration, slot: slot)
            slot = slot.next
        }
    }

    @Test func peakIsTheHeaviestSegmentAndAverageIsAllBitsOverAllTimeAtFirst() {
        var meter = Meter()
        #expect(meter.meter.bandwidth == nil)
        meter.add(500_000)
        #expect(meter.meter.bandwidth == Bandwidth(peak: 1_000_000, average: 1_000_000))
        meter.add(1_000_000)
        #expect(meter.meter.bandwidth == Bandwidth(peak: 2_000_000, average: 1_500_000))
    }

    @Test func numbersOfAnySizeAreCounted() throws {
        let json = #"{"bytes":1125899906842624,"microseconds":1,"peak":0,"targetDuration":6}"#
        var meter = try JSONDecoder().decode(BandwidthMeter.self, from: Data(json.utf8))
        #expect(meter.bandwidth == Bandwidth(peak: 1 << 50, average: 1 << 50))
        let duration = SegmentDuration(value: 4, timescale: 1)
        meter.add(byteCount: 1 << 50, duration: duration, slot: MediaSequenceNumber(1500))
        let saved = try JSONEncoder().encode(meter)
        #expect(try JSONDecoder().decode(BandwidthMeter.self, from: saved).bandwidth == meter.bandwidth)
    }

    @Test func aShortSegmentIsAPeakOnlyTogetherWithItsNeighbour() {
        var meter = Meter()
        meter.add(500_000)
        meter.add(500_000, seconds: 2.9)
        // 1 MB in 6.9 s, and 1.1 MB in 5.9 s.
        #expect(meter.meter.bandwidth?.peak == 1_159_421)
        meter.add(600_000, seconds: 3)
        #expect(meter.meter.bandwidth?.peak == 1_600_000)
    }

    @Test func whatIsDeclaredFollowsTheProgrammeUpAndNeverDown() {
        var meter = Meter()
        // A holding slide of 0.3 Mbit/s, the programme of 6, with peaks of 8, and the slide again.
        for _ in 0..<30 { meter.add(150_000) }
        #expect(meter.meter.bandwidth == Bandwidth(peak: 300_000, average: 300_000))
        for index in 0..<30 { meter.add(index.isMultiple(of: 5) ? 4_000_000 : 2_750_000) }
        let programme = Bandwidth(peak: 8_000_000, average: 6_000_000)
        #expect(meter.meter.bandwidth == programme)
        for _ in 0..<1000 { meter.add(150_000) }
        #expect(meter.meter.bandwidth == programme)
    }

    @Test func whoComesLaterAgreesOnceItHasSeenTheHeaviest() {
        // One since the first slot, one from the middle of the third block on.
        var (early, late) = (Meter(), Meter())
        for index in 0..<150 {
            let byteCount = 1_000_000 + (index * 7919) % 1_000_000
            early.add(byteCount)
            if index >= 38 { late.add(byteCount) } else { late.slot = early.slot }
        }
        early.add(2_500_000)
        late.add(2_500_000)
        for _ in 0..<30 {
            early.add(2_000_000)
            late.add(2_000_000)
        }
        #expect(early.meter.bandwidth == late.meter.bandwidth)
    }

    @Test func aMeterIsReadBackAsItWas() throws {
        var meter = Meter()
        for index in 0..<40 {
            meter.add(1_000_000 + index, seconds: index.isMultiple(of: 9) ? 2 : 4)
            let json = try JSONEncoder().encode(meter.meter)
            #expect(try JSONDecoder().decode(BandwidthMeter.self, from: json) == meter.meter)
        }
        // As it was written by a packager that measured the first three segments only.
        let old = #"{"targetDuration":6,"segments":3,"bytes":1500000,"microseconds":12000000,"peak":1100000}"#
        let read = try JSONDecoder().decode(BandwidthMeter.self, from: Data(old.utf8))
        #expect(read.bandwidth == Bandwidth(peak: 1_100_000, average: 1_000_000))
    }

    /// Each was without its feed for another while.
    @Test(arguments: [10, 20, 100])
    func twoThatHaveHeardDifferentThingsAgreeOnceEachHasHeardTheOther(count: Int) {
        var (first, second) = (Meter(), Meter())
        for index in 0..<count {
            let byteCount = 1_000_000 + (index * 7919) % 1_000_000
            if index % 17 != 3 { first.add(byteCount) } else { first.slot = first.slot.next }
            if index % 19 != 5 { second.add(byteCount * 2) } else { second.slot = second.slot.next }
        }
        #expect(first.meter.bandwidth != second.meter.bandwidth)
        let (raised, other) = (first.meter.raised(to: second.meter), second.meter.raised(to: first.meter))
        #expect(raised.bandwidth == other.bandwidth)
        #expect(raised.raised(to: other) == raised)
    }

    /// Each of two meters, half a slot apart, hears values of the other that it has already, or does not have yet.
    @Test func whatIsHeardOfAnotherSlotIsNotCountedTwice() {
        var (first, second) = (Meter(), Meter())
        for _ in 0..<6 {
            first.add(1_000_000)
            second.meter = second.meter.raised(to: first.meter)
            second.add(1_000_000)
            first.meter = first.meter.raised(to: second.meter)
        }
        #expect(first.meter == second.meter)
    }

    @Test func noLessIsDeclaredThanThePeerDoes() throws {
        var (channel, peer) = (Channel(), Channel())
        try channel.publish(byteCounts: [Channel.video: 150_000])
        try peer.publish(byteCounts: [Channel.video: 3_000_000])
        let before = channel.text("video-1080p.m3u8")
        channel.presentation.raiseMeters(to: peer.presentation.meters)
        peer.presentation.raiseMeters(to: channel.presentation.meters)
        #expect(channel.text("index.m3u8") == peer.text("index.m3u8"))
        #expect(channel.text("video-1080p.m3u8") == before)
        // It stays so when the next slot is less.
        try channel.publish(byteCounts: [Channel.video: 150_000])
        #expect(try channel.multivariant().variants[0].bandwidth == 6_100_000)
    }

    /// Values of a rendition that is not there, or beyond those that there can be.
    @Test(arguments: [(-1, 0), (0, 0), (1, 1 << 60), (1 << 50, 1 << 50), (1 << 50, 0)])
    func nonsenseOfAPeerIsNotTaken(peak: Int, bytes: Int) throws {
        var channel = Channel()
        try channel.publish(byteCounts: [Channel.video: 150_000])
        let before = channel.text("index.m3u8")
        let meter = #"{"targetDuration":6,"bytes":\#(bytes),"microseconds":1,"peak":\#(peak),"last":[448812000,1,1]}"#
        for name in ["video-1080p", "video-2160p"] {
            let json = #"{"slot":1,"conditions":["stale"],"meters":{"\#(name)":\#(meter)}}"#
            let health = try JSONDecoder().decode(PeerHealth.self, from: Data(json.utf8))
            #expect(health.conditions == [.stale])
            #expect(health.meters.isEmpty != (peak == 1 << 50 || (peak, bytes) == (0, 0)))
            channel.presentation.raiseMeters(to: health.meters)
        }
        #expect(channel.text("index.m3u8") == before)
    }

    @Test func aPeerThatSaysNothingOfBandwidthIsHeardAllTheSame() throws {
        let health = try JSONDecoder().decode(PeerHealth.self, from: Data(#"{"slot":1,"conditions":[]}"#.utf8))
        #expect(health == PeerHealth(slot: 1, conditions: []))
    }

    @Test func theMultivariantPlaylistGrowsWithWhatIsPublished() throws {
        var channel = Channel()
        try channel.publish(byteCounts: [Channel.video: 150_000])
        try channel.publish(gaps: [Channel.video])
        for _ in 0..<4 { try channel.publish(byteCounts: [Channel.video: 150_000]) }
        #expect(try channel.multivariant().variants[0].bandwidth == 310_000)
        for _ in 0..<60 { try channel.publish(byteCounts: [Channel.video: 3_000_000]) }
        let grown = try channel.multivariant()
        #expect(grown.variants[0].bandwidth == 6_100_000)
        #expect(grown.variants[0].averageBandwidth == 6_100_000)
        for _ in 0..<60 { try channel.publish(byteCounts: [Channel.video: 150_000]) }
        #expect(try channel.multivariant() == grown)
        channel.presentation.declare(renditions: [.video, .audio])
        try channel.publish(byteCounts: [Channel.video: 150_000])
        #expect(try channel.multivariant() == grown)
    }

    @Test func aPinnedBandwidthIsPrintedAsItIs() throws {
        var channel = Channel(pinnedBandwidth: [Channel.video: Bandwidth(peak: 5_555_555, average: 4_444_444)])
        try channel.publish()
        #expect(try channel.multivariant().variants[0].bandwidth == 5_555_555)
        #expect(try channel.multivariant().variants[0].averageBandwidth == 4_444_444)
        var peer = Channel()
        try peer.publish(byteCounts: [Channel.video: 9_000_000])
        channel.presentation.raiseMeters(to: peer.presentation.meters)
        #expect(try channel.multivariant().variants[0].bandwidth == 5_555_555)
    }
}
