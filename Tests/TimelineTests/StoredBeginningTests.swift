import MediaCore
import TestSupport
import Testing
import Timeline

/// The first timestamps of a stored feed have nothing before them that they could be checked by.
@Suite struct StoredBeginningTests {
    /// Places the packets of a feed of two tracks: the UTC of each, by track, from the edge on.
    private static func places(
        _ pace: InputPace,
        source: ClockSource = .arrival,
        order: [Int] = [0, 1],
        damage: (_ track: Int, _ packet: Int) -> Int64
    ) -> (times: [Int: [Int64]], repairs: [TimelineRepair]) {
        var driver = TimelineDriver(source: source, pace: pace, modulus: nil)
        var held: [(Int, SampleTimes)] = []
        var times: [Int: [Int64]] = [:]
        for packet in 0..<50 {
            for track in order {
                let time = Int64(packet) * 40
                let reception = driver.send(
                    time + damage(track, packet),
                    at: pace == .paced ? time : 0,
                    track: track,
                    canAnchor: track == 0 && packet % 25 == 0
                )
                if case .held(let times) = reception { held.append((track, times)) }
                if driver.timeline.isAnchored {
                    for (track, one) in held {
                        let (index, edge) = (InputTrackIndex(track), TimelineDriver.edge)
                        let placed = driver.timeline.place(one, track: index, arrival: edge)?.presentation
                        guard let placed else { continue }
                        times[track, default: []].append((placed - TimelineDriver.edge).milliseconds)
                    }
                    held = []
                }
                if let utc = driver.utc(reception) { times[track, default: []].append(utc) }
            }
        }
        return (times, driver.takeRepairs())
    }

    static let hours: Int64 = 37 * 3_600_000

    @Test(arguments: [InputPace.stored, .paced], [600_000, hours, 20_000, -600_000])
    func aFirstTimestampOfAudioThatIsWrongMovesNothing(pace: InputPace, error: Int64) {
        for order in [[0, 1], [1, 0]] {
            let found = Self.places(pace, order: order) { track, packet in track == 1 && packet == 0 ? error : 0 }
            #expect(found.times[0] == (0..<50).map { $0 * 40 }, "\(order)")
            #expect(found.times[1].map { Array($0.dropFirst()) } == (1..<50).map { $0 * 40 }, "\(order)")
            #expect(found.repairs == [.implausibleClock])
        }
    }

    @Test(arguments: [InputPace.stored, .paced], [600_000, hours, -600_000])
    func aFirstTimestampOfVideoThatIsWrongCostsNotEvenThePicture(pace: InputPace, error: Int64) {
        for order in [[0, 1], [1, 0]] {
            let found = Self.places(pace, order: order) { track, packet in track == 0 && packet == 0 ? error : 0 }
            let times = found.times[0] ?? []
            // It is decoded just before the second, which the feed is then anchored on.
            #expect(times.count == 50)
            #expect(times.first == 0)
            #expect(zip(times.dropFirst(), times.dropFirst(2)).allSatisfy { $1 - $0 == 40 })
            #expect(times.last == found.times[1]?.last)
            #expect(found.repairs == [.implausibleClock])
        }
    }

    /// A recorder that mixes two clocks: the tracks are interleaved, so they belong together.
    @Test(arguments: [InputPace.stored, .paced])
    func tracksThatContradictEachOtherAreAlignedWhereTheyAreRead(pace: InputPace) {
        let found = Self.places(pace) { track, _ in track == 1 ? 600_000 : 0 }
        #expect(found.times[0] == (0..<50).map { $0 * 40 })
        #expect(found.times[1]?.count == 50)
        #expect(found.times[1]?.allSatisfy { (0..<2_040).contains($0) } == true)
    }

    @Test(arguments: [InputPace.stored, .paced])
    func aFirstTimestampOfUTCThatIsWrongMovesNothing(pace: InputPace) {
        let found = Self.places(pace, source: .pts) { track, packet in track == 1 && packet == 0 ? 600_000 : 0 }
        #expect(found.times[0] == (0..<50).map { $0 * 40 })
        #expect(found.times[1].map { Array($0.dropFirst()) } == (1..<50).map { $0 * 40 })
    }

    @Test(arguments: [InputPace.stored, .paced])
    func aTrackThatBeginsLaterIsCheckedByItsSiblings(pace: InputPace) {
        var driver = TimelineDriver(pace: pace)
        driver.run(0..<2_000, at: 0)
        #expect(driver.send(602_000, at: 2_000, track: 1) == .dropped)
        #expect(driver.utc(driver.send(2_000, at: 2_000)) == 2_000)
        #expect(driver.utc(driver.send(2_024, at: 2_024, track: 1)) == 2_024)
        #expect(driver.takeRepairs() == [.implausibleClock])
    }

    @Test(arguments: [InputPace.stored, .paced])
    func aTrackThatBeginsLaterOnAnotherClockIsPlacedBesideItsSiblings(pace: InputPace) {
        var driver = TimelineDriver(pace: pace)
        driver.run(0..<2_000, at: 0)
        #expect(driver.send(602_000, at: 2_000, track: 1) == .dropped)
        #expect(driver.utc(driver.send(602_024, at: 2_024, track: 1)) == 2_000)
        #expect(driver.utc(driver.send(2_000, at: 2_000)) == 2_000)
    }

    @Test(arguments: [InputPace.stored, .paced])
    func tracksThatBeginLaterOnAnotherClockStayInSync(pace: InputPace) {
        var driver = TimelineDriver(pace: pace)
        driver.run(0..<2_000, at: 0)
        for track in [1, 2] { #expect(driver.send(602_000, at: 2_000, track: track) == .dropped) }
        #expect(driver.utc(driver.send(602_024, at: 2_024, track: 1)) == 2_000)
        #expect(driver.utc(driver.send(602_024, at: 2_024, track: 2)) == 2_000)
        #expect(driver.utc(driver.send(2_000, at: 2_024)) == 2_000)
    }

    @Test(arguments: [InputPace.stored, .paced])
    func aTrackThatPausesWhileItsSiblingGoesOnHasNotJumped(pace: InputPace) {
        var driver = TimelineDriver(pace: pace)
        driver.run(0..<2_000, at: 0, tracks: [0, 1])
        driver.run(2_000..<62_000, at: 2_000)
        #expect(driver.utc(driver.send(62_000, at: 62_000, track: 1)) == 62_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func aFeedOfOnePacketIsPlacedAtItsEnd() {
        var driver = TimelineDriver(pace: .stored)
        guard case .held(let only) = driver.send(0, at: 0) else {
            Issue.record("not held")
            return
        }
        #expect(!driver.timeline.isAnchored)
        driver.timeline.ended()
        #expect(
            driver.timeline.place(only, track: 0, arrival: TimelineDriver.edge)?.presentation == TimelineDriver.edge
        )
    }
}
