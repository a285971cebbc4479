import MediaCore
import Testing

@testable import Timeline

@Suite struct LagFilterTests {
    private func observe(_ filter: inout LagFilter, _ milliseconds: Int64, at seconds: Int64) {
        filter.observe(MediaTime(milliseconds: milliseconds), at: MediaTime(seconds: seconds))
    }

    @Test func isUnknownBeforeThereWasAPacket() {
        #expect(LagFilter().least == nil)
    }

    @Test func theLeastOfASpanIsKept() {
        var filter = LagFilter()
        for (second, lag) in [70, 40, 90, 60].enumerated() { observe(&filter, Int64(lag), at: Int64(second)) }
        #expect(filter.least == MediaTime(milliseconds: 40))
    }

    @Test func theLeastIsForgottenAfterTwoSpansOfTenSeconds() {
        var filter = LagFilter()
        observe(&filter, 10, at: 0)
        for second in 1..<20 {
            observe(&filter, 50, at: Int64(second))
            #expect(filter.least == MediaTime(milliseconds: 10))
        }
        observe(&filter, 50, at: 20)
        #expect(filter.least == MediaTime(milliseconds: 50))
    }

    @Test func delaysMayBeNegative() {
        var filter = LagFilter()
        observe(&filter, 30, at: 0)
        observe(&filter, -30, at: 1)
        #expect(filter.least == MediaTime(milliseconds: -30))
    }
}
