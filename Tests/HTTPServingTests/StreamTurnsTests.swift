import NIOHTTP2
import Testing

@testable import HTTPServing

@Suite struct StreamTurnsTests {
    @Test func fewHaveTheirTurnAndTheOthersInTheirOrder() {
        var turns = StreamTurns(count: 2)
        var begun: [HTTP2StreamID] = [1, 3, 5, 7, 9, 11].filter { turns.take($0) }
        #expect(begun == [1, 3])
        func leave(_ stream: HTTP2StreamID) { if let next = turns.leave(stream) { begun.append(next) } }
        leave(3)
        #expect(begun == [1, 3, 5])
        // Who goes away while it waits is passed over.
        leave(7)
        #expect(begun == [1, 3, 5])
        leave(1)
        leave(1)
        #expect(begun == [1, 3, 5, 9])
        leave(5)
        #expect(begun == [1, 3, 5, 9, 11])
    }

    @Test func aTurnThatIsFreeBeginsAtOnce() {
        var turns = StreamTurns(count: 1)
        for stream in [1, 3, 5] as [HTTP2StreamID] {
            let isTurn = turns.take(stream)
            #expect(isTurn)
            #expect(turns.leave(stream) == nil)
        }
    }
}
