import MediaCore
import Testing
import Timeline

/// Where a feed that has just been opened lands.
@Suite struct InputTimelineAnchorTests {
    private static func time(_ milliseconds: Int64) -> MediaTime {
        TimelineDriver.edge + MediaTime(milliseconds: milliseconds)
    }

    @Test func aLiveFeedIsAnchoredOnTheNewestPacketOnceOneHadToBeWaitedFor() throws {
        var driver = TimelineDriver()
        var held: [SampleTimes] = []
        for time in stride(from: Int64(0), through: 2_000, by: 40) {
            // A second and more of a server's buffer comes at once, the last packet on time.
            guard case .held(let times) = driver.send(time, at: time == 2_000 ? 37 : 0) else {
                Issue.record("the packet of \(time) ms was not held")
                return
            }
            held.append(times)
            #expect(driver.timeline.isAnchored == (time == 2_000))
        }
        #expect(held.map { driver.timeline.place($0).presentation }.first == Self.time(37 - 2_000))
        #expect(held.map { driver.timeline.place($0).presentation }.last == Self.time(37))
        #expect(driver.utc(driver.send(2_040, at: 77)) == 77)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func theNewestIsTheOnePresentedLast() throws {
        var driver = TimelineDriver()
        _ = driver.send(0, presentation: 160, at: 0)
        _ = driver.send(40, presentation: 80, at: 5)
        #expect(driver.timeline.isAnchored)
        // What is shown at 160 was made by 5 ms at the latest.
        #expect(driver.utc(driver.send(80, presentation: 160, at: 45)) == 5)
    }

    @Test func aBurstIsNotWaitedForLongerThanASecond() {
        var driver = TimelineDriver()
        var arrival: Int64 = 0
        while !driver.timeline.isAnchored, arrival < 3_000 {
            _ = driver.send(arrival * 20, at: arrival)
            arrival += 3
        }
        #expect(arrival == 1_005)
    }

    @Test func aBurstIsNotWaitedForLongerThan4000Packets() {
        var driver = TimelineDriver()
        var count: Int64 = 0
        while !driver.timeline.isAnchored, count < 9_000 {
            _ = driver.send(count * 20, at: 0)
            count += 1
        }
        #expect(count == 4_001)
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
        #expect(driver.timeline.place(video) == SampleTimes(decode: Self.time(-80), presentation: Self.time(0)))
        #expect(driver.timeline.place(audio).presentation == Self.time(-80))
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
        guard case .held(let first) = driver.send(0, at: 5_000) else {
            Issue.record("not held")
            return
        }
        #expect(driver.timeline.place(first).presentation == Self.time(10_000))
    }

    @Test func aLiveFeedThatIsOpenedAgainIsPlacedByItsArrival() {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        driver.open(at: 31_000)
        driver.base = 77_000_000
        driver.run(0..<200, at: 31_000)
        #expect(driver.utc(driver.send(200, at: 31_200)) == 31_200)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test(arguments: [InputPace.live, .paced, .stored])
    func timestampsThatAreUTCNeedNoAnchor(pace: InputPace) {
        var driver = TimelineDriver(source: .pts, pace: pace)
        #expect(driver.timeline.isAnchored)
        #expect(driver.utc(driver.send(-300, presentation: -220, at: 0)) == -220)
    }

    /// 2^33 ticks are 26.5 hours: of the times that a timestamp can mean, the nearest to now.
    @Test(arguments: [0, 9_000, -3_600_000 * 13, -1] as [Int64])
    func timestampsThatAreUTCMeanTheTimeNearestToNow(distance: Int64) {
        var driver = TimelineDriver(source: .pts)
        #expect(driver.utc(driver.send(distance, at: 0)) == distance)
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
