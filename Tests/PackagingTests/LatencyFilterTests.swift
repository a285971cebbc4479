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
        #expect(Self.filter([(0, 900), (15, 20), (16, 20), (31, 20)]).most == MediaTime(milliseconds: 900))
        #expect(Self.filter([(0, 900), (15, 20), (16, 20), (32, 20)]).most == MediaTime(milliseconds: 20))
    }
}
