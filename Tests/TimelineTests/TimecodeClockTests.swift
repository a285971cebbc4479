import MediaCore
import TestSupport
import Testing

@testable import Timeline

@Suite struct TimecodeClockTests {
    /// 2026-11-21T00:00:00Z.
    private static let midnight = MediaTime(seconds: 1_795_219_200)

    private static func label(
        _ hours: Int,
        _ minutes: Int,
        _ seconds: Int,
        _ frames: Int,
        isDropFrame: Bool = false
    ) throws -> Timecode {
        try #require(
            Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, isDropFrame: isDropFrame)
        )
    }

    @Test(arguments: [
        // Label, what the wall clock shows in seconds from midnight on, and what the label then means.
        (23, 59, 59, 86_399, 86_399), (23, 59, 59, 86_403, 86_399), (23, 59, 59, 3, -1), (23, 59, 59, 0, -1),
        (0, 0, 0, 86_399, 86_400), (0, 0, 0, 86_405, 86_400), (0, 0, 0, -1, 0), (0, 0, 2, -5, 2),
        (12, 0, 0, 1, 43_200), (12, 0, 0, -1, -43_200), (12, 0, 1, 0, -43_199), (11, 59, 59, 0, 43_199),
    ])
    func theDateIsThatNearestToTheWallClock(
        hours: Int,
        minutes: Int,
        seconds: Int,
        now: Int64,
        expected: Int64
    ) throws {
        let rate = try #require(TimecodeRate(Ratio(25, 1)))
        let label = try Self.label(hours, minutes, seconds, 0)
        let reading = TimecodeClock().read(label, rate: rate, near: Self.midnight + MediaTime(seconds: now))
        #expect(reading?.time == Self.midnight + MediaTime(seconds: expected))
    }

    /// The wall clock changes nothing as long as its date is right.
    @Test(arguments: [Ratio(25, 1), .ntsc, .ntscDouble, .film])
    func jitterOfTheWallClockChangesNothing(ratio: Ratio) throws {
        let rate = try #require(TimecodeRate(ratio))
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let label = try Self.label(
                Int.random(in: 0..<24, using: &generator),
                Int.random(in: 0..<60, using: &generator),
                Int.random(in: 0..<60, using: &generator),
                Int.random(in: 4..<Int(rate.framesPerSecond), using: &generator),
                isDropFrame: Bool.random(using: &generator)
            )
            let clock = TimecodeClock()
            let time = try #require(clock.read(label, rate: rate, near: Self.midnight)).time
            for _ in 0..<8 {
                let jitter = MediaTime(milliseconds: Int64.random(in: -43_199_000...43_199_000, using: &generator))
                #expect(clock.read(label, rate: rate, near: time + jitter)?.time == time)
            }
        }
    }

    @Test(
        arguments: [
            (60, 10, 30, 9, 30), (-300, 19, 0, 24, 0), (330, 2, 15, -3, 15 - 60 + 30), (0, 1, 0, 1, 0),
        ] as [(Int64, Int, Int, Int64, Int64)]
    )
    func labelsInLocalTimeAreMovedByTheirZone(
        zone: Int64,
        hours: Int,
        minutes: Int,
        utcHours: Int64,
        utcMinutes: Int64
    ) throws {
        let rate = try #require(TimecodeRate(Ratio(25, 1)))
        let expected = Self.midnight + MediaTime(seconds: utcHours * 3_600 + utcMinutes * 60)
        let clock = TimecodeClock(zone: MediaTime(seconds: zone * 60))
        let reading = clock.read(try Self.label(hours, minutes, 0, 0), rate: rate, near: expected)
        #expect(reading?.time == expected)
        #expect(reading?.grid.midnight == expected - MediaTime(seconds: Int64(hours * 60 + minutes) * 60))
    }

    /// ST 12-1: drop-frame labels lose 86.4 ms a day, labels that are not dropped gain 86.4 s.
    @Test(arguments: [(true, 86_399_880), (false, 86_486_367)] as [(Bool, Int64)])
    func aDayOfFractionalLabels(isDropFrame: Bool, milliseconds: Int64) throws {
        let rate = try #require(TimecodeRate(.ntsc))
        let last = try Self.label(23, 59, 59, 29, isDropFrame: isDropFrame)
        let clock = TimecodeClock()
        let reading = clock.read(last, rate: rate, near: Self.midnight + MediaTime(seconds: 86_000))
        #expect(reading.map { ($0.time - Self.midnight).milliseconds } == milliseconds)
    }

    @Test func aLabelThatDoesNotExistMeansNothing() throws {
        let rate = try #require(TimecodeRate(.ntsc))
        let label = try Self.label(10, 1, 0, 1, isDropFrame: true)
        #expect(TimecodeClock().read(label, rate: rate, near: Self.midnight) == nil)
    }
}
