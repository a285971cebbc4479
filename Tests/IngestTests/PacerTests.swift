import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct PacerTests {
    /// Times in ms, timestamps in ms above 1 s.
    private func delay(_ pacer: inout Pacer, track: Int = 0, at timestamp: Int64, now: Int) -> Duration {
        pacer.packetRead(track: track, decodeTimestamp: (1000 + timestamp) * 90, now: .milliseconds(now))
    }

    @Test func packetsAreHeldUntilTheirTimestampIsDue() {
        var pacer = Pacer()
        #expect(delay(&pacer, at: 0, now: 500) == .zero)
        #expect(delay(&pacer, at: 40, now: 501) == .milliseconds(39))
        #expect(delay(&pacer, at: 80, now: 700) == .milliseconds(-120))
        #expect(delay(&pacer, at: 9000, now: 700) == .milliseconds(8800))
    }

    @Test func delaysDoNotDriftOverFractionsOfTicks() {
        var pacer = Pacer()
        for tick in 0..<90_000 { _ = pacer.packetRead(track: 0, decodeTimestamp: Int64(tick), now: .zero) }
        #expect(pacer.packetRead(track: 0, decodeTimestamp: 90_000, now: .zero) == .seconds(1))
    }

    @Test(arguments: [-7000, -1, 10_001, 1_000_000])
    func aJumpSetsThePaceAnew(distance: Int64) {
        var pacer = Pacer()
        _ = delay(&pacer, at: 0, now: 0)
        _ = delay(&pacer, at: 8000, now: 8000)
        #expect(delay(&pacer, at: 8000 + distance, now: 8000) <= .zero)
        #expect(delay(&pacer, at: 8040 + distance, now: 8000) <= .milliseconds(40))
    }

    @Test func tracksShareOnePace() {
        var pacer = Pacer()
        _ = delay(&pacer, track: 0, at: 0, now: 0)
        _ = delay(&pacer, track: 0, at: 900, now: 900)
        // Stored behind the video of the same time: late already.
        #expect(delay(&pacer, track: 1, at: 0, now: 900) == .milliseconds(-900))
        #expect(delay(&pacer, track: 1, at: 920, now: 900) == .milliseconds(20))
    }

    @Test func tracksThatJumpOneAfterTheOtherShareOnePaceAgain() {
        var pacer = Pacer()
        _ = delay(&pacer, track: 0, at: 0, now: 0)
        _ = delay(&pacer, track: 1, at: 0, now: 0)
        _ = delay(&pacer, track: 1, at: 5000, now: 5000)
        _ = delay(&pacer, track: 0, at: 5000, now: 5000)
        #expect(delay(&pacer, track: 0, at: 100_000, now: 5000) == .zero)
        #expect(delay(&pacer, track: 0, at: 100_500, now: 5000) == .milliseconds(500))
        #expect(delay(&pacer, track: 1, at: 100_000, now: 5500) == .milliseconds(-500))
        #expect(delay(&pacer, track: 1, at: 100_600, now: 5500) == .milliseconds(100))
    }

    @Test func aWrapIsNoJump() {
        var pacer = Pacer(modulus: 1 << 33)
        _ = pacer.packetRead(track: 0, decodeTimestamp: (1 << 33) - 1800, now: .zero)
        #expect(pacer.packetRead(track: 0, decodeTimestamp: 1800, now: .zero) == .milliseconds(40))
    }

    @Test func anyTimestampsAreTaken() {
        var pacer = Pacer()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let timestamp =
                Int64.random(in: -(1 << 50)...(1 << 50), using: &generator)
                >> Int64.random(in: 0...50, using: &generator)
            let track = Int.random(in: 0..<3, using: &generator)
            let delay = pacer.packetRead(track: track, decodeTimestamp: timestamp, now: .zero)
            // Only what a track itself counts up is waited for, or the skew between two.
            if delay > .seconds(100_000_000) { Issue.record("\(delay)") }
        }
    }
}
