import MediaCore
import TestSupport
import Testing

@testable import Probing

@Suite struct ArrivalWatchTests {
    /// - Parameters:
    ///   - ppm: By how much the feed's clock is faster.
    ///   - jitter: Milliseconds between the earliest and the latest.
    /// - Returns: What has seen a minute of it.
    private static func watch(ppm: Double, jitter: Double) -> ArrivalWatch {
        var watch = ArrivalWatch()
        var generator = SeededGenerator(seed: 7)
        for frame in 0..<1500 {
            let media = Double(frame) / 25
            let late = Double.random(in: 0...1, using: &generator) * jitter / 1000
            let arrival = media / (1 + ppm / 1e6) + late
            watch.received(
                media: Int64(media * 90_000),
                at: MediaTime(ticks: Int64((arrival + 100) * 90_000))
            )
        }
        return watch
    }

    @Test(arguments: [(200.0, 5.0), (-200.0, 5.0), (1000.0, 40.0), (50.0, 0.0)])
    func aClockThatDriftsIsSeen(ppm: Double, jitter: Double) throws {
        let report = try #require(Self.watch(ppm: ppm, jitter: jitter).report)
        let drift = try #require(report.driftPPM)
        #expect(abs(drift - ppm) < max(abs(ppm) / 4, 2))
        #expect(abs(report.jitter - jitter / 1000) < 0.003)
    }

    @Test func jitterAloneIsNoDrift() throws {
        let report = try #require(Self.watch(ppm: 0, jitter: 40).report)
        #expect(report.driftPPM == nil)
        #expect(0.035...0.041 ~= report.jitter)
    }

    @Test func littleSaysNothing() {
        var watch = ArrivalWatch()
        watch.received(media: 0, at: .zero)
        #expect(watch.report == nil)
    }
}
