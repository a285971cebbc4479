import MediaCore
import Testing

@Suite struct RecentlyUsedTests {
    @Test func theLeastRecentlyUsedGoesFirst() {
        var values = RecentlyUsed<Int, String>(capacity: 100)
        for key in 0..<10 { values.insert("\(key)", byteCount: 10, for: key) }
        let first = values.use(0)
        #expect(values.byteCount == 100 && first == "0")
        values.insert("10", byteCount: 10, for: 10)
        // A quarter of the room is free again.
        let found = [0, 10, 1, 2].map { values.use($0) }
        #expect(values.byteCount <= 75 && found == ["0", "10", nil, nil])
    }

    @Test func aValueTakesThePlaceOfTheFormerOne() {
        var values = RecentlyUsed<Int, String>(capacity: 100)
        values.insert("a", byteCount: 60, for: 1)
        values.insert("b", byteCount: 30, for: 1)
        values.insert("c", byteCount: 30, for: 2)
        let newest = values.use(1)
        #expect(values.byteCount == 60 && newest == "b")
        values.removeAll { $0 == 1 }
        let rest = [1, 2].map { values.use($0) }
        #expect(values.byteCount == 30 && rest == [nil, "c"])
    }

    /// One that is larger than all room is not kept, and leaves room for others.
    @Test func aValueBeyondTheRoomIsDropped() {
        var values = RecentlyUsed<Int, String>(capacity: 100)
        values.insert("a", byteCount: 101, for: 1)
        let found = values.use(1)
        #expect(values.byteCount == 0 && found == nil)
    }
}
