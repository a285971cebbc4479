import MediaCore
import Testing

@testable import Segmenting

@Suite struct LatencyFilterTests {
    private static func filter(_ observations: [(second: Int64, milliseconds: Int64)]) -> LatencyFilter {
        var filter = LatencyFilter(span: MediaTime(seconds: 16))
        for (second, latency) in observations {
            filter.observe(MediaTime(milliseconds: latency), at: MediaTime(seconds: second))
        }
        return filter
    }

    @Test func theMostIsKept() {
        #expect(Self.filter([(0, 10), (1, 70), (2, 30)]).most == MediaTime(milliseconds: 70))
    }

    @Test func isBelowZeroForAFeedThatIsAhead() {
        #expect(LatencyFilter(span: MediaTime(seconds: 1)).most == .zero)
        #expect(Self.filter([(0, -500), (1, -20), (20, -20)]).most == MediaTime(milliseconds: -20))
        #expect(Self.filter([(0, -20), (16, -500), (32, -300)]).most == MediaTime(milliseconds: -300))
    }

    @Test func theMostIsForgottenAfterTwoSpans() {
        #expect(Self.filter([(0, 900), (15, 20), (16, 20), (31, 20)]).most == MediaTime(milliseconds: 900))
        #expect(Self.filter([(0, 900), (15, 20), (16, 20), (32, 20)]).most == MediaTime(milliseconds: 20))
    }

    /// A packet every 40 ms, so many milliseconds late.
    private static func play(_ filter: inout LatencyFilter, _ range: Range<Int64>, late: Int64) {
        for time in stride(from: range.lowerBound, to: range.upperBound, by: 40) {
            filter.observe(MediaTime(milliseconds: late), at: MediaTime(milliseconds: time))
        }
    }

    /// A burst that has pauses itself, on a machine that is busy.
    @Test func theBacklogOfAStartIsForgottenOnceTheFeedComesAsItPlays() {
        var filter = Self.filter([(0, 5_000), (0, 4_000), (0, 2_000), (0, 1_000), (1, 2_000), (1, 100)])
        Self.play(&filter, 1_000..<1_900, late: 90)
        #expect(filter.most == MediaTime(milliseconds: 5_000))
        Self.play(&filter, 1_900..<2_100, late: 90)
        #expect(filter.most == MediaTime(milliseconds: 90))
        // What it has had since it began is remembered.
        filter.observe(MediaTime(milliseconds: 700), at: MediaTime(milliseconds: 2_200))
        Self.play(&filter, 2_200..<6_000, late: 90)
        #expect(filter.most == MediaTime(milliseconds: 700))
    }

    @Test func aFeedThatComesInSegmentsIsWaitedFor() {
        let segment: [(Int64, Int64)] = [(0, 6_000), (0, 3_000), (0, 0)]
        let segments = segment + segment.map { ($0 + 6, $1) }
        #expect(Self.filter(segments).most == MediaTime(milliseconds: 6_000))
        #expect(Self.filter(segments + [(12, 6_000), (12, 0)]).most == MediaTime(milliseconds: 6_000))
    }
}
