import MediaCore
import Testing

@testable import Ingest

@Suite struct TimestampUnitTests {
    @Test(
        arguments: [
            (TimestampUnit(numerator: 1, denominator: 90_000, bits: 33), 1 << 33),
            (TimestampUnit(numerator: 1, denominator: 1000, bits: 32), 90 << 32),
            // RTP's counter has 32 bits, but libavformat unwraps it.
            (TimestampUnit(numerator: 1, denominator: 90_000, bits: 32), nil),
            (TimestampUnit(numerator: 1, denominator: 12_800, bits: 64), nil),
        ] as [(TimestampUnit, Int64?)]
    )
    func onlyCountersPassedOnAsTheyAreWrap(unit: TimestampUnit, modulus: Int64?) {
        #expect(unit.modulus == modulus)
    }

    @Test(
        arguments: [
            (TimestampUnit(numerator: 1, denominator: 90_000, bits: 33), 133_200, 133_200),
            (TimestampUnit(numerator: 1, denominator: 1000, bits: 32), 1001, 90_090),
            (TimestampUnit(numerator: 1, denominator: 44_100, bits: 64), 1024, 2090),
            (TimestampUnit(numerator: 1001, denominator: 30_000, bits: 64), 3, 9009),
            (
                TimestampUnit(numerator: 1, denominator: 1_000_000_000, bits: 64), 1_763_000_000_000_000_000,
                158_670_000_000_000
            ),
            (TimestampUnit(numerator: 1, denominator: 1, bits: 64), .max, nil),
            (TimestampUnit(numerator: 1, denominator: 90_000, bits: 64), .min, nil),
            (TimestampUnit(numerator: .max, denominator: 1, bits: 64), 1, nil),
            (TimestampUnit(numerator: 1, denominator: 0, bits: 64), 1, nil),
            (TimestampUnit(numerator: 0, denominator: 1, bits: 64), 1, nil),
        ] as [(TimestampUnit, Int64, Int64?)]
    )
    func unitsBecomeTheNearestTickUnlessTheyAreDamage(unit: TimestampUnit, value: Int64, ticks: Int64?) {
        #expect(unit.ticks(value) == ticks)
    }

    @Test(
        arguments: [
            (0, 0), (1_000_000, 90_000), (1_795_264_966_619_999, 161_573_846_995_800), (-1, nil), (.max, nil),
            (1_000_000 << 33, nil),
        ] as [(Int64, Int64?)]
    )
    func microsecondsAreUTCUnlessTheyAreDamage(microseconds: Int64, ticks: Int64?) {
        #expect(TimestampUnit.utc(microseconds: microseconds)?.ticks == ticks)
    }
}
