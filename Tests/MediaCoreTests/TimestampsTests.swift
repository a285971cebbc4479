import MediaCore
import Testing

@Suite struct TimestampsTests {
    @Test(
        arguments: [
            (100, 3700, nil, 3600), (3700, 100, nil, -3600),
            ((1 << 33) - 100, 3500, 1 << 33, 3600), (3500, (1 << 33) - 100, 1 << 33, -3600),
            (Int64.min, .max, nil, -1),
        ] as [(Int64, Int64, Int64?, Int64)]
    )
    func distanceIsTheShorterWay(start: Int64, end: Int64, modulus: Int64?, distance: Int64) {
        #expect(Timestamps.distance(from: start, to: end, modulus: modulus) == distance)
    }

    @Test func reducedTimestampsLieBelowTheModulus() {
        #expect(Timestamps.reduce(-1, modulus: 1 << 33) == (1 << 33) - 1)
        #expect(Timestamps.reduce(1 << 33, modulus: 1 << 33) == 0)
        #expect(Timestamps.reduce(.min, modulus: nil) == .min)
    }
}
