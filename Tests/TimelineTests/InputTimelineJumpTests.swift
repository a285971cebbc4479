import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// Encoders restart, splice, stall and lie; a timeline continues.
@Suite struct InputTimelineJumpTests {
    /// Ten seconds, each packet on time.
    private static func settled(_ source: ClockSource, _ pace: InputPace) -> TimelineDriver {
        var driver = TimelineDriver(source: source, pace: pace)
        driver.run(0..<10_000, at: 0, tracks: [0, 1])
        return driver
    }

    @Test(arguments: [-9_000, -3_600_000, 7_000, 3_600_000] as [Int64])
    func aLiveFeedThatJumpsIsPlacedByItsArrivalAtOnce(jump: Int64) {
        var driver = Self.settled(.arrival, .live)
        #expect(driver.utc(driver.send(10_000 + jump, at: 10_000)) == 10_000)
        #expect(driver.takeRepairs() == [.reanchoredClock])
        #expect(driver.utc(driver.send(10_040 + jump, at: 10_040)) == 10_040)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test(arguments: [1_500, 400, -400] as [Int64])
    func whatIsNoJumpIsBelieved(step: Int64) {
        var driver = Self.settled(.arrival, .live)
        #expect(driver.utc(driver.send(9_960 + step, at: 10_000)) == 9_960 + step)
        #expect(!driver.takeRepairs().contains(.reanchoredClock))
    }

    @Test func timestampsThatPausedWithTheirPacketsHaveNotJumped() {
        var driver = Self.settled(.arrival, .live)
        #expect(driver.utc(driver.send(70_000, at: 70_000)) == 70_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func aTrackThatJumpsAfterItsSiblingTakesOverItsAnchor() {
        var driver = Self.settled(.arrival, .live)
        #expect(driver.utc(driver.send(510_000, at: 10_000, track: 0)) == 10_000)
        // The other track's packets are late by 90 ms: by its own arrival it would be out of sync.
        #expect(driver.utc(driver.send(510_000, at: 10_090, track: 1)) == 10_000)
        #expect(driver.takeRepairs() == [.reanchoredClock])
        #expect(driver.utc(driver.send(510_040, at: 10_130, track: 1)) == 10_040)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// One track's timestamps are worth nothing from the beginning on; the others need not wait for them.
    @Test(arguments: [-1_000, -600, 2_100, 40_000] as [Int64])
    func aTrackThatNeverStopsJumpingHoldsNobodyUpForLong(jump: Int64) {
        var driver = TimelineDriver()
        var placed: Int64?
        for time in stride(from: 0, to: 20_000, by: 40) as StrideTo<Int64> {
            // It jumps before any half second of calm is over.
            _ = driver.send(time + time / 400 * jump, at: time, track: 1)
            if driver.utc(driver.send(time, at: time, track: 0)) != nil { placed = placed ?? time }
        }
        #expect((5_000...5_500).contains(placed ?? .max), "placed from \(placed ?? -1) ms on")
    }

    @Test func packetsFromBeforeTheJumpKeepTheirPlace() {
        var driver = Self.settled(.arrival, .live)
        _ = driver.send(510_000, at: 10_000, track: 0)
        #expect(driver.utc(driver.send(10_000, at: 10_010, track: 1)) == 10_000)
        #expect(driver.utc(driver.send(510_040, at: 10_050, track: 1)) == 10_040)
        #expect(driver.takeRepairs() == [.reanchoredClock])
    }

    @Test(arguments: [InputPace.paced, .stored], [-9_000, -3_600_000, 11_000, 3_600_000] as [Int64])
    func aStoredFeedThatJumpsGoesOnWhereItWasOnceASecondPacketAgrees(pace: InputPace, jump: Int64) {
        var driver = Self.settled(.arrival, pace)
        #expect(driver.send(10_000 + jump, at: 10_000) == .dropped)
        #expect(driver.takeRepairs() == [.implausibleClock])
        let utc = driver.utc(driver.send(10_040 + jump, at: 10_040))
        // Read from storage there is no arrival to go by: media continues without a hole.
        #expect(utc == (pace == .stored ? 10_000 : 10_040))
        #expect(driver.takeRepairs() == [.reanchoredClock])
    }

    @Test(arguments: [InputPace.paced, .stored])
    func tracksOfAStoredFeedJumpTogether(pace: InputPace) {
        // Anchored on the slot's edge, it is three seconds late from the start.
        var driver = TimelineDriver(pace: pace)
        driver.run(0..<10_000, at: 3_000, tracks: [0, 1])
        for track in 0...1 { #expect(driver.send(500_000, at: 13_000, track: track) == .dropped) }
        let utc = driver.utc(driver.send(500_040, at: 13_040, track: 0))
        #expect(utc == (pace == .stored ? 10_000 : 10_040))
        #expect(driver.utc(driver.send(500_040, at: 13_130, track: 1)) == utc)
        #expect(driver.takeRepairs().count { $0 == .reanchoredClock } == 1)
    }

    @Test(arguments: [InputPace.paced, .stored])
    func aHoleInAStoredFeedIsAHole(pace: InputPace) {
        var driver = Self.settled(.arrival, pace)
        #expect(driver.utc(driver.send(19_000, at: 19_000)) == 19_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test(arguments: [InputPace.live, .paced, .stored], [-3_600_000 * 5, -1_000] as [Int64])
    func oneTimestampOfUTCThatGoesBackMovesNothing(pace: InputPace, jump: Int64) {
        var driver = Self.settled(.pts, pace)
        #expect(driver.send(10_000 + jump, at: 10_000) == .dropped)
        #expect(driver.takeRepairs() == [.implausibleClock])
        #expect(driver.utc(driver.send(10_040, at: 10_040)) == 10_040)
        #expect(driver.takeRepairs().isEmpty)
        #expect(driver.timeline.utcOffset == .zero)
    }

    @Test(arguments: [InputPace.live, .paced, .stored])
    func aSecondTimestampOfUTCThatAgreesIsBelieved(pace: InputPace) {
        var driver = Self.settled(.pts, pace)
        #expect(driver.send(1_000, at: 10_000) == .dropped)
        #expect(driver.utc(driver.send(1_040, at: 10_040)) == 1_040)
        #expect(driver.utc(driver.send(1_080, at: 10_080)) == 1_080)
        #expect(driver.takeRepairs() == [.implausibleClock])
    }

    /// Twelve turns of the clock are thirteen days.
    @Test(
        arguments: [
            (0, true), (-30_000, true), (-90_000, false), (5_000, false), (-12 * 95_443_718, false),
        ] as [(Int64, Bool)]
    )
    func whatWasHeldLiesNearItsArrival(distance: Int64, isPlaced: Bool) {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        #expect(driver.timeline.isAnchored)
        let time = MediaTime(ticks: driver.base) + MediaTime(milliseconds: 9_960 + distance)
        let held = SampleTimes(decode: time, presentation: time)
        let arrival = TimelineDriver.edge + MediaTime(milliseconds: 9_960)
        #expect((driver.timeline.place(held, arrival: arrival) != nil) == isPlaced)
    }

    @Test func liveUTCFiveHoursAheadIsDropped() {
        var driver = Self.settled(.pts, .live)
        let ahead: Int64 = 5 * 3_600_000
        for time in stride(from: Int64(10_000), to: 10_400, by: 40) {
            #expect(driver.send(time + ahead, at: time) == .dropped)
        }
        #expect(driver.takeRepairs() == [TimelineRepair](repeating: .implausibleClock, count: 10))
    }

    @Test func liveUTCMayBeAheadOfThisMachinesClockByTenSeconds() {
        var driver = Self.settled(.pts, .live)
        #expect(driver.utc(driver.send(19_990, at: 10_000)) == 19_990)
        #expect(driver.send(20_010, at: 10_000) == .dropped)
        #expect(driver.utc(driver.send(20_030, at: 10_040)) == 20_030)
    }

    @Test(arguments: [InputPace.paced, .stored])
    func storedUTCThatSkipsAMinuteNeedsASecondPacket(pace: InputPace) {
        var driver = Self.settled(.pts, pace)
        #expect(driver.send(10_000 + 61_000, at: 10_000) == .dropped)
        #expect(driver.utc(driver.send(10_040 + 61_000, at: 10_040)) == 71_040)
    }
}
