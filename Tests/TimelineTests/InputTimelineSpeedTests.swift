import MediaCore
import TestSupport
import Testing
import Timeline

/// Feeds that are faster or slower than time: where a packet is placed, and where it should be.
@Suite struct InputTimelineSpeedTests {
    /// The most by which UTC was ahead of arrival, and behind it, once a time has gone by.
    private struct Error {
        var ahead: Int64 = .min
        var behind: Int64 = .min
        var dropped = 0
    }

    /// Sends a picture and its audio every 40 ms of media.
    private func run(
        _ driver: inout TimelineDriver,
        media: Range<Int64>,
        from settled: Int64 = 0,
        arrival: (Int64) -> Int64
    ) -> Error {
        var error = Error()
        for time in stride(from: media.lowerBound, to: media.upperBound, by: 40) {
            for track in 0...1 {
                let arrival = arrival(time)
                let reception = driver.send(time, at: arrival, track: track)
                if reception == .dropped { error.dropped += 1 }
                guard let utc = driver.utc(reception), arrival >= settled else { continue }
                error.ahead = max(error.ahead, utc - arrival)
                error.behind = max(error.behind, arrival - utc)
            }
        }
        return error
    }

    /// The slot is four seconds: what ends with the newest sample is at most two seconds too early.
    @Test(arguments: [101, 105, 120, 150, 200, 300, 800] as [Int64])
    func aFeedThatIsAlwaysTooFastIsNeverFarAhead(percent: Int64) {
        var driver = TimelineDriver()
        let error = run(&driver, media: 0..<600_000) { $0 * 100 / percent }
        #expect(error.ahead <= 2_000, "\(error)")
        #expect(error.behind <= 60, "\(error)")
        // One of each track in each step, until a second one agrees.
        #expect(error.dropped <= 600_000 / 40 * 2 / 50, "\(error)")
        #expect(driver.takeRepairs().contains(.reanchoredClock))
    }

    @Test(arguments: [50, 80, 90, 95, 99] as [Int64])
    func aFeedThatIsAlwaysTooSlowIsNeverFarBehind(percent: Int64) {
        var driver = TimelineDriver()
        let error = run(&driver, media: 0..<600_000) { $0 * 100 / percent }
        #expect(error.ahead <= 20, "\(error)")
        #expect(error.behind <= 3_500, "\(error)")
        #expect(error.dropped == 0)
        if percent >= 90 { #expect(error.behind <= 1_300, "\(error)") }
    }

    /// A transcoder pours out what it has gathered while it probed, a little faster than it plays.
    @Test(arguments: [105, 120, 150, 300] as [Int64], [2_000, 4_000, 8_000] as [Int64])
    func aBacklogThatDrainsSlowlyIsPlacedRightOnceItIsGone(percent: Int64, backlog: Int64) {
        var driver = TimelineDriver()
        // The encoder makes media at `time`; it comes `backlog` late at first, and catches up.
        let arrival = { (time: Int64) in max(time, backlog + time * 100 / percent) }
        let over = backlog * percent / (percent - 100)
        let error = run(&driver, media: 0..<over + 60_000, from: over + 8_000, arrival: arrival)
        #expect(error.ahead <= 500, "\(error)")
        #expect(error.behind <= 500, "\(error)")
    }

    @Test func aBurstInMidStreamThatIsNotMadeUpForIsCorrectedOnceItIsOver() {
        var driver = TimelineDriver()
        // At 20 s the encoder is one second ahead of itself, for good.
        let error = run(&driver, media: 0..<60_000, from: 27_000) { $0 < 20_000 ? $0 : max(20_000, $0 - 1_000) }
        #expect(error.ahead <= 20, "\(error)")
        #expect(driver.takeRepairs() == [.reanchoredClock])
    }

    /// 8x with timestamps that go back and forth.
    @Test(arguments: 0..<20)
    func noTimestampsReachTheFuture(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var driver = TimelineDriver()
        var (arrival, time): (Int64, Int64) = (0, 0)
        for _ in 0..<6_000 {
            arrival += Int64.random(in: 0...40, using: &generator)
            time += Int64.random(in: 0...320, using: &generator)
            if Int.random(in: 0..<200, using: &generator) == 0 {
                time += Int64.random(in: -3_600_000...3_600_000, using: &generator)
            }
            if Int.random(in: 0..<50, using: &generator) == 0 { time -= 700 }
            let reception = driver.send(time, at: arrival, track: Int.random(in: 0...1, using: &generator))
            guard let utc = driver.utc(reception) else { continue }
            #expect(utc <= arrival + 2_000)
        }
    }

    /// An encoder that is started anew over UDP, where nothing is opened again, bursts as it did the first time.
    @Test func anEncoderThatStartsOverIsPlacedOnceItsBurstIsOver() {
        var driver = TimelineDriver()
        _ = run(&driver, media: 0..<20_000) { $0 }
        // It probes its own input for five seconds, and pours that out in one.
        driver.base += 77_000_000
        let error = run(&driver, media: 0..<30_000, from: 26_600) { 25_000 + max($0 / 5, $0 - 4_000) }
        #expect(error.ahead <= 20, "\(error)")
        #expect(error.behind <= 20, "\(error)")
        #expect(driver.takeRepairs() == [.reanchoredClock])
    }

    @Test(arguments: [600, 1_900] as [Int64])
    func oneTimestampThatIsTooEarlyMovesNothing(jump: Int64) {
        var driver = TimelineDriver(slotDuration: 1)
        _ = run(&driver, media: 0..<20_000) { $0 }
        #expect(driver.send(20_000 + jump, at: 20_000) == .dropped)
        #expect(driver.takeRepairs() == [.implausibleClock])
        let error = run(&driver, media: 20_040..<30_000) { $0 }
        #expect(error.ahead == 0 && error.behind == 0)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// A jump is believed at once, and so is the way back: to where it was, and not to where it seems to be.
    @Test(arguments: [-3_600_000, -9_000, 9_000, 3_600_000] as [Int64])
    func oneTimestampThatJumpsMovesNothing(jump: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<20_000, at: 0)
        _ = driver.send(20_000 + jump, at: 20_000)
        // This one is late.
        #expect(driver.utc(driver.send(20_040, at: 20_300)) == 20_040)
        #expect(driver.utc(driver.send(20_080, at: 20_310)) == 20_080)
        #expect(driver.takeRepairs() == [.reanchoredClock])
    }
}
