import MediaCore
import TestSupport
import Testing
import Timeline

/// Repairs of a single packet's timestamps.
@Suite struct InputTimelinePacketTests {
    private static func settled() -> TimelineDriver {
        var driver = TimelineDriver()
        driver.run(0..<1_000, at: 0)
        return driver
    }

    private static func receive(
        _ driver: inout TimelineDriver,
        decode: Int64?,
        presentation: Int64?
    ) -> InputTimeline.Reception {
        let packet = PacketInfo(trackIndex: 0, presentationTimestamp: presentation, decodeTimestamp: decode)
        return driver.timeline.received(
            packet,
            canAnchor: true,
            arrival: TimelineDriver.edge + MediaTime(milliseconds: 1_000),
            clocks: &driver.clocks
        )
    }

    @Test(arguments: [960, 959, 900, 460] as [Int64])
    func aDecodeTimeThatDoesNotRiseIsMovedOnByATickAndPresentationIsNot(decode: Int64) {
        var driver = Self.settled()
        guard case .placed(let before) = driver.send(1_000, presentation: 1_080, at: 1_000),
            case .placed(let times) = driver.send(decode + 40, presentation: 1_040, at: 1_000),
            case .placed(let after) = driver.send(1_040, presentation: 1_120, at: 1_040)
        else {
            Issue.record("not placed")
            return
        }
        #expect(times.decode == before.decode + MediaTime(ticks: 1))
        #expect(times.presentation == before.presentation - MediaTime(milliseconds: 40))
        #expect(after.decode == before.decode + MediaTime(milliseconds: 40))
        #expect(driver.takeRepairs() == [.clampedDecodeTime])
    }

    @Test func aPacketWithoutTimestampsIsDropped() {
        var driver = Self.settled()
        #expect(Self.receive(&driver, decode: nil, presentation: nil) == .dropped)
        #expect(driver.takeRepairs() == [.untimedPacket])
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test func oneTimestampStandsForTheOther() {
        var driver = Self.settled()
        let ticks = driver.base + 1_000 * 90
        guard case .placed(let first) = Self.receive(&driver, decode: nil, presentation: ticks),
            case .placed(let second) = Self.receive(&driver, decode: ticks + 3_600, presentation: nil)
        else {
            Issue.record("not placed")
            return
        }
        #expect(first.decode == first.presentation)
        #expect(second.decode == second.presentation)
        #expect(second.decode == first.decode + MediaTime(milliseconds: 40))
    }

    @Test func presentationMayWrapBeforeDecoding() {
        var driver = TimelineDriver(base: TimelineDriver.modulus - 2_000 * 90)
        driver.run(0..<1_960, at: 0)
        guard case .placed(let times) = driver.send(1_960, presentation: 2_040, at: 1_960) else {
            Issue.record("not placed")
            return
        }
        #expect(times.presentation - times.decode == MediaTime(milliseconds: 80))
        #expect(driver.utc(driver.send(2_000, presentation: 2_000, at: 2_000)) == 2_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    /// One damaged presentation timestamp, far from its decode timestamp, must not move what follows.
    @Test(arguments: [-18_000_000, -30_000, 30_000, 18_000_000] as [Int64])
    func onePresentationTimestampThatCannotBeTrueMovesNothing(distance: Int64) {
        var driver = TimelineDriver()
        driver.run(0..<10_000, at: 0)
        #expect(driver.send(10_000, presentation: 10_000 + distance, at: 10_000) == .dropped)
        #expect(driver.takeRepairs() == [.implausibleClock])
        driver.run(10_040..<40_000, at: 10_040)
        #expect(driver.utc(driver.send(40_000, at: 40_000)) == 40_000)
        #expect(driver.takeRepairs().isEmpty)
    }

    @Test(arguments: ClockSource.allCases, [InputPace.live, .paced, .stored])
    func noTimestampsTrap(source: ClockSource, pace: InputPace) {
        var generator = SeededGenerator(seed: 4)
        // The largest times that a reader lets through: 2^33 s.
        let limit = Int64(90_000) << 33
        for modulus in [nil, TimelineDriver.modulus] {
            var driver = TimelineDriver(source: source, pace: pace, modulus: modulus)
            var arrival: Int64 = 0
            for _ in 0..<4_000 {
                arrival += Int64.random(in: 0...80, using: &generator)
                let raw = { (generator: inout SeededGenerator) -> Int64? in
                    switch Int.random(in: 0..<20, using: &generator) {
                    case 0: nil
                    case 1: modulus ?? limit
                    case 2: modulus.map { $0 - 1 } ?? -limit
                    case 3: Int64.random(in: 0..<(modulus ?? limit), using: &generator)
                    case 4: 0
                    default: (arrival * 90 + Int64.random(in: 0...9_000, using: &generator)) % (modulus ?? limit)
                    }
                }
                let packet = PacketInfo(
                    trackIndex: InputTrackIndex(Int.random(in: 0...2, using: &generator)),
                    presentationTimestamp: raw(&generator),
                    decodeTimestamp: raw(&generator)
                )
                let now = TimelineDriver.edge + MediaTime(milliseconds: arrival)
                let canAnchor = Bool.random(using: &generator)
                _ = driver.timeline.received(packet, canAnchor: canAnchor, arrival: now, clocks: &driver.clocks)
                if Int.random(in: 0..<500, using: &generator) == 0 { driver.open(at: arrival) }
            }
            #expect(!driver.takeRepairs().isEmpty)
        }
    }
}
