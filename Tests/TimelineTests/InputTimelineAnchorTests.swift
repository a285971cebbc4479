import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// The place of a feed that has just been opened.
@Suite struct InputTimelineAnchorTests {
    private static func time(_ milliseconds: Int64) -> MediaTime {
        TimelineDriver.edge + MediaTime(milliseconds: milliseconds)
    }

    /// Packets of 40 ms come in a burst, `backlog` milliseconds of them at once, and then on time.
    @Test(arguments: [0, 2_000, 5_000, 18_000] as [Int64])
    func aLiveFeedIsAnchoredOnceItsBurstIsOver(backlog: Int64) throws {
        var driver = TimelineDriver()
        var held: [SampleTimes] = []
        for time in stride(from: Int64(0), through: backlog + 480, by: 40) {
            guard case .held(let times) = driver.send(time, at: max(0, time - backlog)) else {
                Issue.record("the packet of \(time) ms was not held")
                return
            }
            held.append(times)
            #expect(!driver.timeline.isAnchored)
        }
        _ = driver.send(backlog + 520, at: 520)
        #expect(driver.timeline.isAnchored)
        let placed = held.map { driver.timeline.place($0, arrival: Self.time(0))?.presentation }
        #expect(placed.first == Self.time(-backlog))
        #expect(placed.last == Self.time(480))
        #expect(driver.utc(driver.send(backlog + 560, at: 560)) == 560)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// TCP sends a window and waits for its acknowledgement: a burst comes in pieces.
    @Test(arguments: [4, 40, 150, 300] as [Int64])
    func pausesOfARoundTripDoNotEndABurst(roundTrip: Int64) {
        var driver = TimelineDriver()
        // Ten seconds of a server's buffer, one in each round trip.
        for time in stride(from: Int64(0), to: 10_000, by: 40) { _ = driver.send(time, at: time / 1_000 * roundTrip) }
        #expect(!driver.timeline.isAnchored)
        let now = roundTrip * 9
        driver.run(10_000..<12_000, at: now)
        #expect(driver.utc(driver.send(12_000, at: now + 2_000)).map { abs($0 - now - 2_000) <= 40 } == true)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// Input piles up while a reader waits for its turn, where many channels start at once.
    @Test(arguments: [600, 1_000, 4_000] as [Int64])
    func aReaderThatStandsStillDoesNotEndABurst(pause: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<8_000, at: 0) { time in max(0, 300 + (time < 80 ? 0 : pause) + time / 50 - time) }
        #expect(driver.utc(driver.send(8_000, at: 8_000)) == 8_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// A multiplexer that waits until there is something to send.
    @Test(arguments: [300, 700, 1_200] as [Int64])
    func aFeedInLumpsIsAnchoredByTheThird(pause: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<(3 * pause + 40), at: 0) { time in (time / pause + 1) * pause - time }
        #expect(driver.timeline.isAnchored)
        driver.run((3 * pause + 40)..<8_000, at: 3 * pause + 40) { time in (time / pause + 1) * pause - time }
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func theNewestIsTheOnePresentedLast() throws {
        var driver = TimelineDriver()
        _ = driver.send(0, presentation: 160, at: 0)
        _ = driver.send(40, presentation: 80, at: 5)
        for time in stride(from: Int64(200), through: 560, by: 40) {
            _ = driver.send(time, presentation: time + 40, at: time)
        }
        #expect(driver.timeline.isAnchored)
        // What is shown at 160 was made by 0 ms at the latest.
        #expect(driver.utc(driver.send(600, presentation: 720, at: 600)) == 560)
    }

    @Test func aBurstIsNotWaitedForLongerThanFiveSeconds() {
        var driver = TimelineDriver()
        var arrival: Int64 = 0
        while !driver.timeline.isAnchored, arrival < 9_000 {
            _ = driver.send(arrival * 2, at: arrival)
            arrival += 20
        }
        #expect(arrival == 5_020)
        #expect(driver.utc(driver.send(arrival * 2, at: arrival)) == 5_040)
    }

    /// A timestamp that is damaged while a feed settles, or a jump then, must not place the others anywhere.
    @Test(arguments: [-3_600_000, -1_500, 2_500, 3_600_000] as [Int64])
    func whatIsHeldOfBeforeAJumpIsNotPlaced(jump: Int64) {
        var driver = TimelineDriver()
        var held: [(SampleTimes, Int64)] = []
        for time in stride(from: Int64(0), through: 1_000, by: 40) {
            let reception = driver.send(time == 200 ? time + jump : time, at: time)
            if case .held(let times) = reception { held.append((times, time)) }
        }
        #expect(driver.timeline.isAnchored)
        for (times, arrival) in held {
            guard let placed = driver.timeline.place(times, arrival: Self.time(arrival)) else { continue }
            #expect(placed.presentation <= Self.time(arrival + 2_000))
        }
        #expect(driver.utc(driver.send(1_040, at: 1_040)) == 1_040)
    }

    @Test(arguments: [InputPace.stored, .paced], [0, 1, 1_700, 3_999] as [Int64])
    func aStoredFeedIsAnchoredOnItsSlotsEdgeByTheFirstSyncSample(pace: InputPace, arrival: Int64) {
        var driver = TimelineDriver(pace: pace)
        guard case .held(let audio) = driver.send(0, at: arrival, track: 1, canAnchor: false),
            case .held(let video) = driver.send(0, presentation: 80, at: arrival)
        else {
            Issue.record("packets are held until the anchor is known")
            return
        }
        #expect(driver.timeline.isAnchored)
        let placed = [video, audio].map { driver.timeline.place($0, arrival: Self.time(arrival)) }
        #expect(placed[0] == SampleTimes(decode: Self.time(-80), presentation: Self.time(0)))
        #expect(placed[1]?.presentation == Self.time(-80))
    }

    @Test func aStoredFeedWithoutSyncSamplesIsAnchoredAfterAThousandPackets() {
        var driver = TimelineDriver(pace: .stored)
        for index in 0..<1_000 as Range<Int64> { _ = driver.send(index * 40, at: 0, canAnchor: false) }
        #expect(!driver.timeline.isAnchored)
        _ = driver.send(40_000, at: 0, canAnchor: false)
        #expect(driver.timeline.isAnchored)
    }

    @Test func aStoredFeedThatIsOpenedAgainGoesOnWhereItEnded() {
        var driver = TimelineDriver(pace: .stored)
        driver.run(0..<10_000, at: 100)
        driver.open(at: 5_000)
        #expect(!driver.timeline.isAnchored)
        guard case .held(let first) = driver.send(0, at: 5_000), case .held(let second) = driver.send(40, at: 5_000)
        else {
            Issue.record("not held")
            return
        }
        let arrival = Self.time(5_000)
        #expect(driver.timeline.place(first, track: 0, arrival: arrival)?.presentation == Self.time(10_000))
        #expect(driver.timeline.place(second, track: 0, arrival: arrival)?.presentation == Self.time(10_040))
    }

    @Test func aLiveFeedThatIsOpenedAgainIsPlacedByItsArrival() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        driver.open(at: 31_000)
        driver.base = 77_000_000
        driver.run(0..<600, at: 31_000)
        #expect(driver.utc(driver.send(600, at: 31_600)) == 31_600)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func timestampsThatAreUTCNeedNoAnchor() {
        var driver = TimelineDriver(source: .pts)
        #expect(driver.timeline.isAnchored)
        #expect(driver.utc(driver.send(-300, presentation: -220, at: 0)) == -220)
    }

    @Test(arguments: [InputPace.paced, .stored])
    func storedTimestampsThatAreUTCNeedNoAnchorButASecondPacket(pace: InputPace) {
        var driver = TimelineDriver(source: .pts, pace: pace)
        guard case .held(let first) = driver.send(-300, presentation: -220, at: 0) else {
            Issue.record("not held")
            return
        }
        #expect(driver.send(-260, presentation: -180, at: 0) != .dropped)
        #expect(driver.timeline.place(first, track: 0, arrival: Self.time(0))?.presentation == Self.time(-220))
        #expect(driver.utc(driver.send(-220, presentation: -140, at: 0)) == -140)
    }

    /// 2^33 ticks are 26.5 hours: of the times that a timestamp can mean, the nearest to now.
    @Test(arguments: [0, 9_000, -3_600_000 * 13, -1] as [Int64])
    func timestampsThatAreUTCMeanTheTimeNearestToNow(distance: Int64) {
        var driver = TimelineDriver(source: .pts)
        #expect(driver.utc(driver.send(distance, at: 0)) == distance)
    }

    /// UDP is never opened again, whatever the feed does meanwhile; 2^32 ticks are 13 h 15 min.
    @Test(arguments: [12, 14, 26, 27, 40, 24 * 14] as [Int64])
    func timestampsThatAreUTCAreUTCAgainAfterASilence(hours: Int64) {
        var driver = TimelineDriver(source: .pts)
        driver.run(0..<10_000, at: 0)
        let back = hours * 3_600_000
        for time in stride(from: back, to: back + 4_000, by: 40) {
            #expect(driver.utc(driver.send(time, at: time + 300)) == time)
        }
        #expect(driver.takeRepairs().isEmpty)
    }

    /// Each damaged timestamp is the nearest to the one before, and so they lead anywhere.
    @Test(arguments: 0..<10)
    func damagedTimestampsThatAreUTCMoveNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var driver = TimelineDriver(source: .pts)
        for time in stride(from: Int64(0), to: 200_000, by: 40) {
            if Int.random(in: 0..<10, using: &generator) == 0 {
                let damage = Int64.random(in: 60_000..<95_000_000, using: &generator)
                _ = driver.send(time + damage, at: time)
            } else if let utc = driver.utc(driver.send(time, at: time)) {
                #expect(utc == time)
            }
        }
        #expect(driver.utc(driver.send(200_000, at: 200_000)) == 200_000)
    }

    /// One has counted every wrap, the other none.
    @Test(arguments: [1, 13, 27, 24 * 7] as [Int64])
    func timestampsThatAreUTCMeanTheSameToWhoeverBeginsHoursLater(hours: Int64) {
        let join = hours * 3_600_000
        var older = TimelineDriver(source: .pts)
        for time in stride(from: 0, to: join, by: 10_000) { _ = older.send(time, at: time) }
        var younger = TimelineDriver(source: .pts, opened: join)
        for time in stride(from: join, to: join + 10_000, by: 40) {
            #expect(older.utc(older.send(time, at: time)) == time)
            #expect(younger.utc(younger.send(time, at: time)) == time)
        }
    }
}
