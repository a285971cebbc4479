import MediaCore
import Testing

@testable import Operations

@Suite struct RepetitionFilterTests {
    private func second(_ value: Int64) -> MediaTime { MediaTime(seconds: value) }

    @Test func whatDiffersInNumbersAloneIsSaidOnceAMinute() {
        var filter = RepetitionFilter()
        #expect(filter.admit("packet 17 is corrupt", at: second(0)) == 0)
        #expect(filter.admit("packet 18 is corrupt", at: second(1)) == nil)
        #expect(filter.admit("something else", at: second(1)) == 0)
        #expect(filter.admit("packet 19 is corrupt", at: second(59)) == nil)
        #expect(filter.admit("packet 20 is corrupt", at: second(60)) == 2)
        #expect(filter.admit("packet 21 is corrupt", at: second(61)) == nil)
    }

    /// A clock that was set back must not silence a library until it has come as far again.
    @Test func aClockThatIsSetBackBeginsAnotherPeriod() {
        var filter = RepetitionFilter()
        #expect(filter.admit("packet 17 is corrupt", at: second(3600)) == 0)
        #expect(filter.admit("packet 18 is corrupt", at: second(0)) == 0)
        #expect(filter.admit("packet 19 is corrupt", at: second(59)) == nil)
    }

    @Test func whoSaysSomethingElseEachTimeIsHeldToALimit() {
        var filter = RepetitionFilter()
        let said = (0..<1000).count { filter.admit(String(repeating: "x", count: $0 + 1), at: second(1)) != nil }
        #expect(said == 64)
        #expect(filter.admit("later", at: second(61)) == 0)
    }
}
