import MediaCore
import TestSupport
import Testing

@testable import Drills

@Suite struct EncoderClockTests {
    private func clock(_ drifts: [(ppm: Int64, start: Double, duration: Double?)], from: Double = 0) -> EncoderClock {
        let faults = drifts.map { drift in
            ScheduledFault(
                .clockDrift(partsPerMillion: drift.ppm),
                at: .seconds(drift.start),
                for: drift.duration.map { .seconds($0) }
            )
        }
        return EncoderClock(wall: .seconds(from), source: someUTC + .seconds(from), schedule: FeedSchedule(faults))
    }

    @Test func runsWithRealTime() {
        for time in [-1.5, 0, 0.001, 86_400] {
            #expect(clock([]).source(at: .seconds(time)) == someUTC + .seconds(time))
            #expect(clock([]).wall(at: someUTC + .seconds(time)) == .seconds(time))
        }
    }

    @Test func driftStaysWhenItIsOver() {
        let clock = clock([(100, 10, 100)])
        #expect(clock.source(at: .seconds(10)) == someUTC + .seconds(10))
        #expect(clock.source(at: .seconds(110)) == someUTC + .seconds(110.01))
        #expect(clock.source(at: .seconds(210)) == someUTC + .seconds(210.01))
        #expect(clock.wall(at: someUTC + .seconds(210.01)) == .seconds(210))
    }

    @Test func driftsAddUp() {
        let clock = clock([(1000, 10, nil), (-3000, 20, 10)])
        #expect(clock.source(at: .seconds(20)) == someUTC + .seconds(20.01))
        #expect(clock.source(at: .seconds(30)) == someUTC + .seconds(29.99))
        #expect(clock.source(at: .seconds(40)) == someUTC + .seconds(40))
    }

    @Test func anEncoderThatStartsLaterKnowsTheTime() {
        let clock = clock([(1000, 10, nil)], from: 50)
        #expect(clock.source(at: .seconds(50)) == someUTC + .seconds(50))
        #expect(clock.source(at: .seconds(60)) == someUTC + .seconds(60.01))
    }

    @Test func oneDirectionUndoesTheOther() {
        let clock = clock([(137, 3, 1000), (-999, 500, nil)])
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let wall = MediaTime(ticks: Int64.random(in: 0..<500_000_000, using: &random))
            #expect(abs((clock.wall(at: clock.source(at: wall)) - wall).ticks) <= 1)
        }
    }
}
