import Origin
import Testing

@Suite struct ViewerCensusTests {
    @Test func aViewerCountsOnceAndForThirtySeconds() {
        var census = ViewerCensus()
        for now in 0..<5 as Range<Int64> { census.requested(by: 1, now: now) }
        census.requested(by: 2, now: 20)
        #expect(census.count(now: 20) == 2)
        #expect(census.count(now: 33) == 2)
        #expect(census.count(now: 34) == 1)
        #expect(census.count(now: 50) == 0)
    }

    @Test func aCrowdBeyondTheCapacityDoesNotGrowTheMemory() {
        var census = ViewerCensus()
        for viewer in 0..<ViewerCensus.capacity + 1000 { census.requested(by: viewer, now: 100) }
        #expect(census.count(now: 100) == ViewerCensus.capacity)
        census.requested(by: -1, now: 130)
        #expect(census.count(now: 131) == 1)
    }
}
