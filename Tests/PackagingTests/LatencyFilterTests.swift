import MediaCore
import Testing

@testable import Packaging

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
        let start: [(Int64, Int64)] = [(-2, 20), (-1, 20)]
        #expect(Self.filter(start + [(0, 900), (14, 20), (15, 20), (29, 20)]).most == MediaTime(milliseconds: 900))
        #expect(Self.filter(start + [(0, 900), (14, 20), (15, 20), (31, 20)]).most == MediaTime(milliseconds: 20))
    }

    @Test func theBacklogOfAStartIsForgottenOnceTheFeedComesAsItPlays() {
        let backlog: [(Int64, Int64)] = [(0, 5_000), (0, 4_000), (0, 2_000), (0, 100)]
        #expect(Self.filter(backlog).most == MediaTime(milliseconds: 5_000))
        #expect(Self.filter(backlog + [(1, 90)]).most == MediaTime(milliseconds: 90))
    }

    @Test func aFeedThatComesInSegmentsIsWaitedFor() {
        let segment: [(Int64, Int64)] = [(0, 6_000), (0, 3_000), (0, 0)]
        let next = segment.map { ($0 + 6, $1) }
        #expect(Self.filter(segment + next).most == MediaTime(milliseconds: 6_000))
        #expect(Self.filter(segment + next + [(12, 10)]).most == MediaTime(milliseconds: 6_000))
    }
}
