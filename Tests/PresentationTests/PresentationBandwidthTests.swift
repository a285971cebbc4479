import MediaCore
import Playlists
import Testing

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

    @Test func peakIsTheHeaviestSegmentAndAverageIsAllBitsOverAllTime() {
        var meter = BandwidthMeter(targetDuration: 6)
        #expect(meter.bandwidth == nil)
        meter.add(byteCount: 500_000, duration: SegmentDuration(value: 4, timescale: 1))
        #expect(meter.bandwidth == Bandwidth(peak: 1_000_000, average: 1_000_000))
        meter.add(byteCount: 1_000_000, duration: SegmentDuration(value: 4, timescale: 1))
        #expect(meter.bandwidth == Bandwidth(peak: 2_000_000, average: 1_500_000))
    }

    @Test func aSegmentShorterThanHalfATargetDurationIsNoPeak() {
        var meter = BandwidthMeter(targetDuration: 6)
        meter.add(byteCount: 500_000, duration: SegmentDuration(value: 4, timescale: 1))
        meter.add(byteCount: 500_000, duration: SegmentDuration(value: 2_999_999, timescale: 1_000_000))
        #expect(meter.bandwidth?.peak == 1_142_858)
        meter.add(byteCount: 500_000, duration: SegmentDuration(value: 3, timescale: 1))
        #expect(meter.bandwidth?.peak == 1_333_334)
    }

    @Test func theThirdSegmentWithMediaFreezesTheMeasure() throws {
        var channel = Channel()
        try channel.publish(byteCounts: [Channel.video: 1_000_000])
        try channel.publish(gaps: [Channel.video])
        try channel.publish(byteCounts: [Channel.video: 2_000_000])
        #expect(try channel.multivariant().variants[0].bandwidth == 4_100_000)
        try channel.publish(byteCounts: [Channel.video: 3_000_000])
        let frozen = try channel.multivariant()
        #expect(frozen.variants[0].bandwidth == 6_100_000)
        #expect(frozen.variants[0].averageBandwidth == 4_100_000)
        for _ in 0..<5 { try channel.publish(byteCounts: [Channel.video: 4_000_000, Channel.audio: 1_000_000]) }
        #expect(try channel.multivariant() == frozen)
        channel.presentation.declare(renditions: [.video, .audio])
        try channel.publish(byteCounts: [Channel.video: 4_000_000])
        #expect(try channel.multivariant() == frozen)
    }

    @Test func aPinnedBandwidthIsPrintedAsItIs() throws {
        var channel = Channel(pinnedBandwidth: [Channel.video: Bandwidth(peak: 5_555_555, average: 4_444_444)])
        try channel.publish()
        #expect(try channel.multivariant().variants[0].bandwidth == 5_555_555)
        #expect(try channel.multivariant().variants[0].averageBandwidth == 4_444_444)
    }
}
