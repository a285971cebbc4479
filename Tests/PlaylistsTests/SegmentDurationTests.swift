import MediaCore
import Playlists
import Testing

@Suite struct SegmentDurationTests {
    @Test(arguments: [
        (SegmentDuration(value: 4, timescale: 1), "4.000000"),
        (SegmentDuration(value: 360_360, timescale: 90_000), "4.004000"),
        (SegmentDuration(value: 188 * 1024, timescale: 48_000), "4.010667"),
        (SegmentDuration(value: 1, timescale: 2_000_000), "0.000001"),
        (SegmentDuration(value: 1, timescale: 2_000_001), "0.000000"),
        (SegmentDuration(value: 1, timescale: 90_000), "0.000011"),
        (SegmentDuration(value: 0, timescale: 1), "0.000000"),
        (SegmentDuration(value: 3_999_999_5, timescale: 10_000_000), "4.000000"),
    ])
    func printsSixDecimalsRoundedHalfUp(duration: SegmentDuration, text: String) {
        #expect(duration.description == text)
    }

    @Test func countsTicks() {
        #expect(SegmentDuration(MediaTime(seconds: 4)).time == MediaTime(seconds: 4))
        #expect(SegmentDuration(value: 1024, timescale: 48_000).time == MediaTime(ticks: 1920))
    }
}
