import MediaCore
import Testing

@Suite struct SharedQuotaTests {
    /// One client has half, rounded up, and the others have the rest.
    @Test(arguments: [1, 2, 7, 8])
    func oneClientHasHalf(_ limit: Int) {
        var room = SharedQuota(limit: limit)
        let first = (0..<limit).count { _ in room.take(for: 1) }
        let rest = (0..<limit).count { _ in room.take(for: 2) }
        #expect(first == (limit + 1) / 2 && first + rest == limit && room.taken == limit)
        #expect(limit == 1 || !room.take(for: 3))
        #expect(room.clientCount == (limit == 1 ? 1 : 2))
    }

    /// A refusal changes nothing, and what is given back can be taken again.
    @Test func roomThatIsGivenBackIsFree() {
        var room = SharedQuota(limit: 100)
        #expect(room.take(30, for: 1) && !room.take(21, for: 1) && room.take(20, for: 1))
        #expect(room.take(50, for: 2) && !room.take(1, for: 3))
        room.giveBack(50, of: 1)
        #expect(room.taken == 50 && room.clientCount == 1)
        #expect(room.take(50, for: 3) && room.taken == 100)
    }

    /// Clients without room are not remembered, so that a crowd that comes and goes leaves no memory behind.
    @Test func clientsWithoutRoomAreForgotten() {
        var room = SharedQuota(limit: .max)
        for client in 0..<10_000 {
            #expect(room.take(0, for: client) && room.take(client, for: client))
            room.giveBack(client, of: client)
        }
        #expect(room.taken == 0 && room.clientCount == 0)
    }
}
