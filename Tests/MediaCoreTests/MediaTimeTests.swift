import MediaCore
import TestSupport
import Testing

@Suite struct MediaTimeTests {
    @Test(
        arguments: [
            (0, 0), (1, 0), (7, 0), (8, 1), (15, 1), (22, 1), (23, 2), (-1, 0), (-7, 0), (-8, -1), (-15, -1), (-22, -1),
            (-23, -2),
        ] as [(Int64, Int64)]
    )
    func rescalingGivesTheNearestUnit(value: Int64, expected: Int64) {
        #expect(MediaTime.rescale(value, from: 15, to: 1) == expected)
    }

    @Test(arguments: [(1, 1), (3, 2), (5, 3), (-1, 0), (-3, -1), (-5, -2)] as [(Int64, Int64)])
    func halvesAreRoundedUp(value: Int64, expected: Int64) {
        #expect(MediaTime.rescale(value, from: 2, to: 1) == expected)
    }

    @Test(
        arguments: [
            (Int64.max, Int64(90_000), Int64(90_000), Int64.max),
            (Int64.min, 90_000, 90_000, Int64.min),
            (Int64.max, 90_000, 48_000, 4_919_131_752_989_213_764),
            (Int64.min, 90_000, 48_000, -4_919_131_752_989_213_764),
            (Int64.max, Int64.max, 1, 1),
            (Int64.max, 1_000_000_000, 90_000, 830_103_483_316_930),
            (1_795_000_000_123_456_789, 1_000_000_000, 90_000, 161_550_000_011_111),
            (161_550_000_011_111, 90_000, 1_000_000_000, 1_795_000_000_123_455_556),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func rescalingNeedsMoreThan64BitsAndHasThem(value: Int64, from: Int64, to: Int64, expected: Int64) {
        #expect(MediaTime.rescale(value, from: from, to: to) == expected)
    }

    @Test func rescalingAgreesWithItsDefinition() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let value = Int64.random(in: -(1 << 50)...(1 << 50), using: &generator)
            let from = Int64.random(in: 1_000...200_000, using: &generator)
            let to = Int64.random(in: 1...200_000, using: &generator)
            let result = MediaTime.rescale(value, from: from, to: to)
            // result - 1/2 <= value · to / from < result + 1/2, without fractions; an odd `from` has no halves.
            let twice = 2 * Int128(value) * Int128(to)
            let slack = from % 2 == 0 ? 0 : Int128(1)
            let isNearest =
                (2 * Int128(result) - 1) * Int128(from) <= twice + slack
                && twice < (2 * Int128(result) + 1) * Int128(from) + slack
            if !isNearest { Issue.record("\(value) from \(from) to \(to) is not \(result)") }
        }
    }

    /// One day's frames around the year 2026.
    @Test(arguments: [32_000, 44_100, 48_000] as [Int64])
    func everyAudioFrameHasOneTickAndComesBackExactly(rate: Int64) {
        let first = 1_795_000_000 * rate / 1024
        for index in first..<(first + 100_000) {
            let samples = index * 1024
            let time = MediaTime(samples, timescale: rate)
            if time.value(timescale: rate) != samples { Issue.record("frame \(index) becomes \(time.ticks)") }
        }
    }

    @Test(arguments: [8_000, 32_000, 44_100, 48_000, 88_200] as [Int64])
    func everySampleOfARateBelow90kHzComesBackExactly(rate: Int64) {
        for sample in -20_000..<Int64(20_000)
        where MediaTime(sample, timescale: rate).value(timescale: rate) != sample {
            Issue.record("sample \(sample)")
        }
    }

    @Test func unitsAreThoseOf90kHz() {
        #expect(MediaTime(seconds: 4).ticks == 360_000)
        #expect(MediaTime(milliseconds: -20).ticks == -1800)
        #expect(MediaTime(1001, timescale: 30_000).ticks == 3003)
        #expect(MediaTime(ticks: 45).milliseconds == 1)
        #expect(MediaTime(ticks: 44).milliseconds == 0)
        #expect(MediaTime(ticks: 135_000).seconds == 1.5)
        #expect(MediaTime(ticks: 135_000).description == "1.5 s")
    }

    @Test func timesAddScaleAndCompareAsTheirTicks() {
        var time = MediaTime(seconds: 2) + MediaTime(ticks: 5) - MediaTime(ticks: 7)
        #expect(time.ticks == 179_998)
        time += MediaTime(ticks: 2)
        #expect(time == MediaTime(seconds: 2))
        time -= MediaTime(seconds: 3)
        #expect(time == -MediaTime(seconds: 1))
        #expect(time < .zero)
        #expect(MediaTime(seconds: 4) * 448_750_000 == MediaTime(seconds: 1_795_000_000))
    }

    /// No value traps: what cannot be said in 64 bits is clamped, and what a document says is bounded.
    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func extremesAreClamped(value: Int64) {
        for timescale: Int64 in [1, 1000, 90_000, 1_000_000_000, .max] {
            _ = MediaTime(value, timescale: timescale)
            _ = MediaTime(ticks: value).value(timescale: timescale)
        }
        let time = MediaTime(ticks: value)
        #expect(MediaTime(value, timescale: 1).ticks.signum() == value.signum())
        #expect(!time.iso8601.isEmpty && !time.decimalSeconds.isEmpty)
        let duration = Duration(time)
        #expect(duration.components.seconds == value / 90_000)
    }

    @Test(
        arguments: [
            .nan, .infinity, -.infinity, 1e300, -1e300, 1e20, .greatestFiniteMagnitude, 2.1e11, -2.1e11,
        ] as [Double]
    )
    func secondsBeyondAllReasonAreNone(seconds: Double) {
        #expect(MediaTime(decimalSeconds: seconds) == nil)
    }

    @Test(arguments: [
        (0.0, 0), (-0.0, 0), (1.0004, 90_000), (-2.5, -225_000), (1e-300, 0), (2e11, 18_000_000_000_000_000),
    ])
    func secondsAreRoundedToMilliseconds(seconds: Double, ticks: Int64) {
        #expect(MediaTime(decimalSeconds: seconds) == MediaTime(ticks: ticks))
    }
}
