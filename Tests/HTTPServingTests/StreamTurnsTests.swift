import Testing

@testable import HTTPServing

@Suite struct StreamTurnsTests {
    @Test func fewHaveTheirTurnAndTheOthersInTheirOrder() {
        let turns = StreamTurns(count: 2)
        var begun: [Int] = []
        let tickets = (0..<6).map { number in turns.take { begun.append(number) } }
        #expect(begun == [0, 1])
        turns.leave(tickets[1])
        #expect(begun == [0, 1, 2])
        // Who goes away while it waits is passed over.
        turns.leave(tickets[3])
        #expect(begun == [0, 1, 2])
        turns.leave(tickets[0])
        turns.leave(tickets[0])
        #expect(begun == [0, 1, 2, 4])
        turns.leave(tickets[2])
        #expect(begun == [0, 1, 2, 4, 5])
    }

    @Test func aTurnThatIsFreeBeginsAtOnce() {
        let turns = StreamTurns(count: 1)
        for _ in 0..<3 {
            var hasBegun = false
            let ticket = turns.take { hasBegun = true }
            #expect(hasBegun)
            turns.leave(ticket)
        }
    }
}
