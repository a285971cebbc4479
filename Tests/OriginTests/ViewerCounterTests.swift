import Testing

@testable import Origin

@Suite struct ViewerCounterTests {
    private static func report(_ text: String) -> CMCD? { CMCD(target: "/", fields: [text]) }

    @Test func aViewerCountsOnceAndForThirtySeconds() {
        var counter = ViewerCounter()
        for now in 0..<5 as Range<Int64> { counter.requested(by: 1, of: "a", now: now) }
        counter.requested(by: 2, of: "a", now: 20)
        counter.requested(by: 3, of: "b", now: 20)
        #expect(counter.audiences(now: 20).mapValues(\.viewers) == ["a": 2, "b": 1])
        #expect(counter.audiences(now: 33)["a"]?.viewers == 2)
        #expect(counter.audiences(now: 34)["a"]?.viewers == 1)
        #expect(counter.audiences(now: 50).mapValues(\.viewers) == ["a": 0, "b": 0])
    }

    @Test func aCrowdBeyondTheCapacityDoesNotGrowTheMemory() {
        var counter = ViewerCounter()
        for viewer in 0..<ViewerCounter.capacity + 1000 { counter.requested(by: viewer, of: "a", now: 100) }
        #expect(counter.audiences(now: 100)["a"]?.viewers == ViewerCounter.capacity)
        // Those that are known still count when they come again.
        counter.requested(by: 0, of: "a", Self.report("bl=4000"), now: 110)
        #expect(counter.audiences(now: 111)["a"]?.reporting == 1)
        counter.requested(by: -1, of: "a", now: 145)
        #expect(counter.audiences(now: 146)["a"]?.viewers == 1)
    }

    @Test func whatPlayersSayIsAveraged() throws {
        var counter = ViewerCounter()
        counter.requested(by: 1, of: "a", Self.report("bl=4000,br=3000,ot=v,mtp=20000"), now: 1)
        counter.requested(by: 1, of: "a", Self.report("bl=5000,br=128,ot=a,mtp=10000"), now: 2)
        counter.requested(by: 2, of: "a", Self.report("bl=3000,br=1000,ot=av"), now: 2)
        counter.requested(by: 3, of: "a", now: 2)
        // What a playlist is asked for with says nothing of these, and takes nothing back.
        counter.requested(by: 1, of: "a", Self.report("ot=m,su"), now: 3)
        let audience = try #require(counter.audiences(now: 3)["a"])
        #expect(audience.viewers == 3 && audience.reporting == 2)
        #expect(audience.bufferLength == 4000)
        #expect(audience.bitRate == 2064)
        #expect(audience.throughput == 10000)
        #expect(audience.stalls == 0)
    }

    /// A viewer who ran dry counts for a minute, also where that was the last thing heard of it.
    @Test func aStallIsRememberedForAMinute() {
        var counter = ViewerCounter()
        counter.requested(by: 1, of: "a", Self.report("bs"), now: 1)
        counter.requested(by: 1, of: "a", Self.report("bs"), now: 3)
        counter.requested(by: 2, of: "a", Self.report("bl=1"), now: 3)
        let now = counter.audiences(now: 10)["a"]
        #expect(now?.stalled == 1 && now?.stalls == 2 && now?.viewers == 2)
        let later = counter.audiences(now: 62)["a"]
        #expect(later?.stalled == 1 && later?.viewers == 0 && later?.stalls == 2)
        #expect(counter.audiences(now: 63)["a"]?.stalled == 0)
        #expect(counter.audiences(now: 64)["a"]?.stalls == 2)
    }
}

extension ViewerCounter {
    fileprivate mutating func audiences(now: Int64) -> [String: Audience] { sums(now: now).mapValues(\.audience) }
}
