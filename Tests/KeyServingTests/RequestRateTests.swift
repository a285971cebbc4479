import MediaCore
import Testing

@testable import KeyServing

/// The rate at which one client may ask.
@Suite struct RequestRateTests {
    @Test func aMinuteIsHadAtOnceAndThenEvenly() {
        var rate = RequestRate(perMinute: 6)
        let moments: [Int64] = [0, 0, 0, 0, 0, 0, 0, 9500, 10_000, 10_000]
        let refusals = moments.map { rate.refusal(of: 1, at: MediaTime(milliseconds: $0)) }
        #expect(refusals == [nil, nil, nil, nil, nil, nil, 10, 1, nil, 10])
        let another = rate.refusal(of: 2, at: MediaTime(seconds: 10))
        #expect(another == nil)
    }

    @Test func itsMemoryIsBounded() {
        var rate = RequestRate(perMinute: 1)
        for asker in 0..<RequestRate.capacity { _ = rate.refusal(of: asker, at: .zero) }
        // All places are taken: newcomers are let in unseen.
        let newcomers = (0..<3).map { _ in rate.refusal(of: -1, at: .zero) }
        #expect(newcomers == [nil, nil, nil])
        let known = rate.refusal(of: 5, at: .zero)
        #expect(known == 60)
        let later = (0..<2).map { _ in rate.refusal(of: -1, at: MediaTime(seconds: 120)) }
        #expect(later == [nil, 60])
    }
}
