import MediaCore
import Testing

@Suite struct RatioTests {
    @Test(arguments: [(25, 1, true), (30_000, 1001, true), (300, 1, true), (301, 1, false), (90_000, 1, false)])
    func aUnitOfTimestampsIsNoFrameRate(numerator: Int, denominator: Int, isPlausible: Bool) {
        let ratio = Ratio(numerator, denominator)
        #expect(ratio.plausibleFrameRate == (isPlausible ? ratio : nil))
    }
}
