import TestSupport
import Testing

@testable import Timeline

@Suite struct TimestampUnwrapperTests {
    static let modulus = Int64(1) << 33

    @Test func timestampsThatDoNotWrapAreTakenAsTheyAre() {
        var unwrapper = TimestampUnwrapper(modulus: nil)
        #expect([5, 1 << 40, -7, Int64.max].map { unwrapper.unwrap($0) } == [5, 1 << 40, -7, Int64.max])
    }

    @Test func theFirstIsTakenAsItIs() {
        var unwrapper = TimestampUnwrapper(modulus: Self.modulus)
        #expect(unwrapper.unwrap(Self.modulus - 1) == Self.modulus - 1)
    }

    @Test func theFirstIsTheOneNearestToAReference() {
        let reference: Int64 = 1_795_000_000 * 90_000
        for distance in [0, 1, -1, 324_000_000, -324_000_000, Self.modulus / 2 - 1, -Self.modulus / 2] {
            var unwrapper = TimestampUnwrapper(modulus: Self.modulus, reference: reference)
            #expect(unwrapper.unwrap((reference + distance) % Self.modulus) == reference + distance)
        }
    }

    @Test func countsOnWhereTheClockWraps() {
        var unwrapper = TimestampUnwrapper(modulus: Self.modulus)
        let raw = [Self.modulus - 3600, 0, 3600]
        #expect(raw.map { unwrapper.unwrap($0) } == [Self.modulus - 3600, Self.modulus, Self.modulus + 3600])
    }

    @Test func countsBackWhereAnEarlierTimestampLiesBeforeTheWrap() {
        var unwrapper = TimestampUnwrapper(modulus: Self.modulus)
        #expect([10, Self.modulus - 10, 20].map { unwrapper.unwrap($0) } == [10, -10, 20])
    }

    @Test func jitterAroundTheWrapComesOutAsJitter() {
        var generator = SeededGenerator(seed: 2)
        var unwrapper = TimestampUnwrapper(modulus: Self.modulus, reference: Self.modulus - 90_000)
        var time = Self.modulus - 90_000
        while time < Self.modulus + 90_000 {
            let late = time + Int64.random(in: -9_000...9_000, using: &generator)
            #expect(unwrapper.unwrap(late % Self.modulus) == late)
            time += 1_800
        }
    }

    /// The longest silence that can be told from going back is half the modulus, 13.25 hours.
    @Test(arguments: [3_600, 54_000_000, (1 << 32) - 1] as [Int64])
    func countsThroughTwoWraps(step: Int64) {
        var unwrapper = TimestampUnwrapper(modulus: Self.modulus)
        var time = Self.modulus - 10 * step
        if time < 0 { time = 0 }
        let steps = step < 90_000 ? 20 : 2 * Self.modulus / step + 20
        for _ in 0..<steps {
            #expect(unwrapper.unwrap(time % Self.modulus) == time)
            time += step
        }
        if step > 90_000 { #expect(time > 2 * Self.modulus) }
    }

    @Test func millisecondsOf32BitsWrapToo() {
        // FLV and RTMP: 2^32 ms in 90 kHz ticks.
        let modulus: Int64 = 90 << 32
        var unwrapper = TimestampUnwrapper(modulus: modulus)
        #expect([modulus - 90, 0].map { unwrapper.unwrap($0) } == [modulus - 90, modulus])
    }
}
