import NIOHTTP2
import Testing

@testable import HTTPServing

@Suite struct StreamTurnsTests {
    @Test func fewHaveTheirTurnAndTheOthersInTheirOrder() {
        var turns = StreamTurns(count: 2)
        var begun: [HTTP2StreamID] = [1, 3, 5, 7, 9, 11].filter { turns.take($0) }
        #expect(begun == [1, 3])
        func release(_ stream: HTTP2StreamID) { if let next = turns.release(stream) { begun.append(next) } }
        release(3)
        #expect(begun == [1, 3, 5])
        // A stream that leaves while it waits gets no turn.
        release(7)
        #expect(begun == [1, 3, 5])
        release(1)
        release(1)
        #expect(begun == [1, 3, 5, 9])
        release(5)
        #expect(begun == [1, 3, 5, 9, 11])
    }

    @Test func aTurnThatIsFreeBeginsAtOnce() {
        var turns = StreamTurns(count: 1)
        for stream in [1, 3, 5] as [HTTP2StreamID] {
            let isTurn = turns.take(stream)
            #expect(isTurn)
            #expect(turns.release(stream) == nil)
        }
    }
}
