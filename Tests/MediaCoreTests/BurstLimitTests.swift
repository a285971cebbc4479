import MediaCore
import Testing

@Suite struct BurstLimitTests {
    @Test func someOfEachPeriodAreLetThrough() {
        var limit = BurstLimit(2, in: MediaTime(seconds: 60))
        let times: [Int64] = [100, 101, 102, 159, 160, 161, 162, 300]
        let admitted = times.filter { limit.admits(at: MediaTime(seconds: $0)) }
        #expect(admitted == [100, 101, 160, 161, 300])
        // A clock that was set back begins anew.
        let isAdmitted = limit.admits(at: MediaTime(seconds: 7))
        #expect(isAdmitted)
    }
}
