import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// Packets come late, in bursts, or on an encoder's own clock.
@Suite struct InputTimelineDelayTests {
    @Test func aBurstAfterAStallCatchesUpAndMovesNothing() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0, tracks: [0, 1])
        // Five seconds of network outage, then all of it within half a second.
        for time in stride(from: Int64(10_000), to: 15_000, by: 40) {
            for track in 0...1 {
                #expect(driver.utc(driver.send(time, at: 15_000 + (time - 10_000) / 10, track: track)) == time)
            }
        }
        #expect(driver.utc(driver.send(15_500, at: 15_500)) == 15_500)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func aBurstThatTakesSecondsToCatchUpMovesNothing() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        // Ten seconds late, at one and a half times the speed of life.
        for time in stride(from: Int64(10_000), to: 40_000, by: 40) {
            _ = driver.send(time, at: 20_000 + (time - 10_000) * 2 / 3)
        }
        #expect(driver.utc(driver.send(40_000, at: 40_000)).map { 0...5 ~= $0 - 40_000 } == true)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func aPausedFeedThatGoesOnWhereItStoppedFindsItsNewPlaceWithinTwoSeconds() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0, tracks: [0, 1])
        driver.run(10_000..<12_000, at: 25_000, tracks: [0, 1])
        #expect(driver.takeRepairs() == [.reanchoredClock])
        #expect(driver.utc(driver.send(12_000, at: 27_000, track: 0)) == 27_000)
        #expect(driver.utc(driver.send(12_000, at: 27_000, track: 1)) == 27_000)
    }

    @Test(arguments: [600, 1_500, 1_900] as [Int64])
    func aShorterPauseFindsItsNewPlaceAfterFiveSeconds(pause: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0, tracks: [0, 1])
        driver.run(10_000..<14_000, at: 10_000 + pause, tracks: [0, 1])
        #expect(driver.takeRepairs().isEmpty)
        driver.run(14_000..<17_000, at: 14_000 + pause, tracks: [0, 1])
        #expect(driver.takeRepairs() == [.reanchoredClock])
        #expect(driver.utc(driver.send(17_000, at: 17_000 + pause)).map { abs($0 - 17_000 - pause) <= 10 } == true)
    }

    /// A step of less than half a second is made up for so slowly that no player sees it.
    @Test(arguments: [-400, -100, 100, 400] as [Int64])
    func aSmallStepIsSlewed(step: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0, tracks: [0, 1])
        driver.run(10_000..<400_000, at: 10_000 + step, tracks: [0, 1])
        #expect(driver.takeRepairs().isEmpty)
        #expect(driver.utc(driver.send(400_000, at: 400_000 + step)).map { abs($0 - 400_000 - step) <= 6 } == true)
        let areSlow = driver.timeline.findings.allSatisfy { finding in
            if case .slewed(let amount) = finding { abs(amount.ticks) <= 360 } else { true }
        }
        #expect(areSlow)
    }

    /// Audio that comes half a second behind its pictures is not late when the pictures are lost.
    @Test func aTrackThatFallsSilentDoesNotMakeTheOthersLate() {
        var driver = TimelineDriver()
        for time in stride(from: Int64(0), to: 20_000, by: 40) {
            _ = driver.send(time, at: time)
            _ = driver.send(time, at: time + 700, track: 1)
        }
        for time in stride(from: Int64(20_000), to: 60_000, by: 40) { _ = driver.send(time, at: time + 700, track: 1) }
        #expect(driver.timeline.utcOffset == .zero)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// An anchor on the slot's edge makes the feed late from its first packet on by up to a slot.
    @Test(arguments: [0, 1_700, 2_500, 3_900] as [Int64])
    func aPacedFeedStaysWhereItWasAnchored(arrival: Int64) {
        var driver = TimelineDriver(pace: .paced)
        driver.run(0..<20_000, at: arrival, tracks: [0, 1])
        #expect(driver.utc(driver.send(20_000, at: arrival + 20_000)) == 20_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// Arrival says nothing of a feed that is read as fast as can be.
    @Test func aStoredFeedIsNeverLate() {
        var driver = TimelineDriver(pace: .stored)
        driver.run(0..<2_000, at: 0)
        for time in stride(from: Int64(2_000), to: 60_000, by: 40) { _ = driver.send(time, at: 100_000 + time * 3) }
        #expect(driver.takeRepairs().isEmpty)
        #expect(driver.timeline.utcOffset == .zero)
    }

    /// Days of it: the error stays, and dates are slewed by less than a frame in a segment.
    @Test(arguments: [-1_000, -200, -100, -30, 30, 100, 200, 1_000] as [Int64])
    func driftMovesUTCAndNeverMediaTime(partsPerMillion: Int64) throws {
        var driver = TimelineDriver()
        let days: Int64 = 2 * 24 * 3_600_000
        // A picture in 1.2 s: the rate is the same.
        var worst: Int64 = 0
        var time: Int64 = 0
        var anchor: MediaTime?
        while time < days {
            let arrival = time - time * partsPerMillion / 1_000_000
            if case .placed(let times) = driver.send(time, at: arrival), time > 60_000 {
                let utc = times.presentation + driver.timeline.utcOffset - TimelineDriver.edge
                worst = max(worst, abs(utc.milliseconds - arrival))
                let here = times.presentation - MediaTime(milliseconds: time)
                if anchor.map({ $0 != here }) == true { Issue.record("media time was stretched at \(time) ms") }
                anchor = here
            }
            time += 1_200
        }
        #expect(worst <= 5 + abs(partsPerMillion) / 10, "\(worst) ms")
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func jitterIsNotDrift() {
        var generator = SeededGenerator(seed: 9)
        var driver = TimelineDriver()
        driver.run(0..<600_000, at: 0) { _ in Int64.random(in: 0...3, using: &generator) * 50 }
        #expect(abs(driver.timeline.utcOffset.milliseconds) <= 151)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func timestampsThatAreUTCAreNotSlewed() {
        var driver = TimelineDriver(source: .pts)
        driver.run(0..<60_000, at: 1_500)
        #expect(driver.timeline.findings.isEmpty)
        #expect(driver.timeline.utcOffset == .zero)
        #expect(driver.takeRepairs().isEmpty)
    }
}
