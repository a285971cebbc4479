import MediaCore
import TestSupport
import Testing

@testable import Timeline

/// Tracks of one live feed whose timestamps count different clocks.
@Suite struct InputTimelineApartTests {
    /// Audio's timestamps minus video's: ten minutes, just more than is believed, half of all that 33 bits can tell.
    static let distances: [Int64] = [
        600_000, -600_000, 10_500, (1 << 32) / 90, -(1 << 32) / 90, (1 << 33) / 90 - 60_000,
    ]

    private static func apart(_ findings: [ClockFinding]) -> [Int] {
        findings.compactMap { if case .apart(let track, _) = $0 { track.value } else { nil } }
    }

    /// Sends both every 40 ms as they play, and says where each was placed last, as a delay.
    private static func run(
        _ driver: inout TimelineDriver,
        _ times: Range<Int64>,
        audioFrom first: Int64 = 0,
        _ distance: Int64
    ) -> [Int64?] {
        var delays: [Int64?] = [nil, nil]
        for time in stride(from: times.lowerBound, to: times.upperBound, by: 40) {
            let video = driver.send(time, at: time)
            delays[0] = driver.utc(video).map { $0 - time }
            guard time >= first else { continue }
            let audio = driver.send(time + 20 + distance, at: time + 20, track: 1)
            delays[1] = driver.utc(audio).map { $0 - time - 20 }
        }
        return delays
    }

    @Test(arguments: distances)
    func eachIsPlacedByItsOwnArrival(distance: Int64) throws {
        var driver = TimelineDriver()
        for delay in Self.run(&driver, 0..<600, distance) where delay != nil { #expect(delay == 0) }
        #expect(driver.timeline.isAnchored)
        #expect(Self.apart(driver.timeline.takeFindings()) == [1])
        for delay in Self.run(&driver, 600..<120_000, distance) { #expect(try abs(#require(delay)) <= 1) }
        #expect(driver.takeRepairs().isEmpty)
        #expect(Self.apart(driver.timeline.takeFindings()).isEmpty)
    }

    /// Audio's crystal is another one, and its packets come earlier than at the start.
    @Test func aTrackOnAClockOfItsOwnIsKeptInTime() throws {
        var driver = TimelineDriver()
        var delays: [Int64?] = [nil, nil]
        for time in stride(from: Int64(0), to: 600_000, by: 40) {
            let video = driver.send(time, at: time)
            delays[0] = driver.utc(video).map { $0 - time }
            let early: Int64 = time < 10_000 ? 0 : 15
            let drift = time / 5_000
            let audio = driver.send(time + 20 + drift + 600_000, at: time + 20 - early, track: 1)
            delays[1] = driver.utc(audio).map { $0 - time - 20 + early }
        }
        #expect(delays[0] == 0)
        #expect(try abs(#require(delays[1])) <= 15)
        let findings = driver.timeline.takeFindings()
        #expect(!findings.contains { if case .slewed = $0 { true } else { false } })
        #expect(driver.takeRepairs().isEmpty)
    }

    /// The encoder of the audio alone is started anew.
    @Test func aTrackThatLiesApartJumpsAlone() throws {
        var driver = TimelineDriver()
        _ = Self.run(&driver, 0..<20_000, 600_000)
        let delays = Self.run(&driver, 20_000..<60_000, 300_000)
        #expect(delays[0] == 0)
        #expect(try abs(#require(delays[1])) <= 40)
        let later = Self.run(&driver, 60_000..<90_000, 300_000)
        #expect(later[0] == 0)
    }

    @Test(arguments: distances)
    func whatWasHeldIsPlacedToo(distance: Int64) throws {
        var driver = TimelineDriver()
        var held: [(track: Int, time: Int64, times: SampleTimes)] = []
        for time in stride(from: Int64(0), to: 1_000, by: 40) where !driver.timeline.isAnchored {
            for track in [0, 1] {
                let reception = driver.send(time + Int64(track) * distance, at: time, track: track)
                if case .held(let times) = reception { held.append((track, time, times)) }
            }
        }
        #expect(held.count >= 20)
        for (track, time, times) in held {
            let arrival = TimelineDriver.edge + MediaTime(milliseconds: time)
            let placed = try #require(driver.timeline.place(times, track: InputTrackIndex(track), arrival: arrival))
            #expect(abs((placed.presentation + driver.timeline.utcOffset - arrival).milliseconds) <= 1)
        }
    }

    /// Audio that an encoder announces at once and sends later.
    @Test(arguments: distances)
    func aTrackThatBeginsLaterIsPlacedByItsOwnArrival(distance: Int64) throws {
        var driver = TimelineDriver()
        for delay in Self.run(&driver, 0..<30_000, audioFrom: 10_000, distance) {
            #expect(try abs(#require(delay)) <= 40)
        }
        #expect(Self.apart(driver.timeline.takeFindings()) == [1])
    }

    @Test func tracksThatLieCloseTogetherShareTheirClock() {
        var driver = TimelineDriver()
        let delays = Self.run(&driver, 0..<30_000, -1_500)
        #expect(delays == [0, -1_500])
        #expect(Self.apart(driver.timeline.takeFindings()).isEmpty)
    }

    /// The first timestamp, or the last before the burst is over.
    @Test(arguments: [0, 480, 520] as [Int64])
    func oneWrongTimestampMovesNothing(moment: Int64) throws {
        var driver = TimelineDriver()
        var delay: Int64?
        for time in stride(from: Int64(0), to: 20_000, by: 40) {
            let wrong: Int64 = time == moment ? 3_600_000 : 0
            delay = driver.utc(driver.send(time + wrong, at: time)).map { $0 - time }
        }
        #expect(try abs(#require(delay)) <= 40)
    }
}
