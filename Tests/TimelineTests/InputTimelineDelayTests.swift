import MediaCore
import TestSupport
import Testing
import Timeline

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
        #expect(driver.utc(driver.send(40_000, at: 40_000)) == 40_000)
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

    @Test func aPauseOfLessThanTwoSecondsIsALaterFeed() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        driver.run(10_000..<20_000, at: 11_500)
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

    @Test(arguments: [-100, 50, 100] as [Int64])
    func driftMovesUTCAndNeverMediaTime(partsPerMillion: Int64) throws {
        var driver = TimelineDriver()
        let hour: Int64 = 3_600_000
        driver.run(0..<hour, at: 0) { -$0 * partsPerMillion / 1_000_000 }
        let arrival = hour - hour * partsPerMillion / 1_000_000
        guard case .placed(let times) = driver.send(hour, at: arrival) else {
            Issue.record("not placed")
            return
        }
        #expect(times.presentation == TimelineDriver.edge + MediaTime(milliseconds: hour))
        let error = driver.timeline.utcOffset.milliseconds - (arrival - hour)
        #expect(abs(error) <= 7, "\(error) ms")
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
        #expect(driver.timeline.utcOffset == .zero)
        #expect(driver.takeRepairs().isEmpty)
    }
}
