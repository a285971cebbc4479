import MediaCore
import Testing
import Timeline

@Suite struct DriftFilterTests {
    /// 100 ppm of a window of two seconds.
    static let step: Int64 = 18

    /// Feeds a packet every 100 ms and returns every correction that is not zero.
    private func corrections(
        _ filter: inout DriftFilter,
        milliseconds: Range<Int64>,
        lag: (Int64) -> Int64
    ) -> [Int64] {
        stride(from: milliseconds.lowerBound, to: milliseconds.upperBound, by: 100).map { now in
            let lag = MediaTime(milliseconds: lag(now))
            return filter.observe(lag, at: MediaTime(milliseconds: now)).ticks
        }.filter { $0 != 0 }
    }

    @Test(
        arguments: [(20, [18, 18, 18, 18]), (-20, [-18, -18, -18, -18]), (5, []), (-5, []), (0, [])]
            as [(Int64, [Int64])]
    )
    func aLastingDelayIsCorrectedOnceAWindowByAtMost100ppm(lag: Int64, expected: [Int64]) {
        var filter = DriftFilter()
        #expect(corrections(&filter, milliseconds: 0..<8_100) { _ in lag } == expected)
    }

    @Test func theFastestPacketCountsAndNotTheJitter() {
        var filter = DriftFilter()
        let found = corrections(&filter, milliseconds: 0..<20_000) { $0 % 2_000 == 1_000 ? 0 : 80 }
        #expect(found.isEmpty)
    }

    @Test func sparsePacketsReachTheFullRate() {
        // One packet in 1.5 s: windows end late, but none of their time is lost.
        var filter = DriftFilter()
        var sum: Int64 = 0
        for index in 0...400 {
            sum += filter.observe(MediaTime(milliseconds: 50), at: MediaTime(milliseconds: Int64(index) * 1_500)).ticks
        }
        #expect(sum == 300 * Self.step)
    }

    @Test func aSilenceIsNotMadeUpFor() {
        var filter = DriftFilter()
        let lag = MediaTime(milliseconds: 50)
        #expect(filter.observe(lag, at: .zero) == .zero)
        #expect(filter.observe(lag, at: MediaTime(seconds: 3_600)).ticks == Self.step)
        #expect(filter.observe(lag, at: MediaTime(seconds: 3_601)) == .zero)
        #expect(filter.observe(lag, at: MediaTime(seconds: 3_602)).ticks == Self.step)
    }

    @Test func aRestartForgetsTheWindowUnderWay() {
        var filter = DriftFilter()
        #expect(filter.observe(MediaTime(seconds: -9), at: .zero) == .zero)
        filter.restart()
        let found = corrections(&filter, milliseconds: 1_000..<9_000) { _ in 0 }
        #expect(found.isEmpty)
    }
}
