import TestSupport
import Testing

@testable import HTTPServing

@Suite struct ConnectionTableTests {
    private typealias Table = ConnectionTable<Int>

    private static func table(total: Int, perAddress: Int = 100, requiresAuthentication: Bool = false) -> Table {
        Table(limits: .init(total: total, perAddress: perAddress, requiresAuthentication: requiresAuthentication))
    }

    /// A place, and what its connection says there.
    private struct Member {
        var id: Table.ID
        var activity: ConnectionActivity
    }

    /// Opens a connection; its place if it was admitted, and which gave way.
    private static func open(_ connection: Int, from address: String = "a", in table: inout Table) -> (Member?, Int?) {
        switch table.open(connection, from: address) {
        case .admitted(let id, let activity): (Member(id: id, activity: activity), nil)
        case .displaced(let id, let activity, let other, _): (Member(id: id, activity: activity), other)
        case .refused: (nil, nil)
        }
    }

    @Test func theOneThatWasIdleForLongestGivesWay() throws {
        var table = Self.table(total: 3)
        let ids = try (0..<3).map { try #require(Self.open($0, in: &table).0) }
        // The first is asked for something, and again idle.
        ids[0].activity.began()
        ids[0].activity.becameIdle()
        #expect(Self.open(3, in: &table).1 == 1)
        #expect(Self.open(4, in: &table).1 == 2)
        #expect(Self.open(5, in: &table).1 == 0)
        #expect(table.count == 3)
    }

    /// However many are looked at together, what they are asked meanwhile counts.
    @Test func manyGiveWayInTheOrderInWhichTheyBecameIdle() throws {
        var table = Self.table(total: 300, perAddress: 1_000)
        var idle: [(connection: Int, member: Member)] = []
        for connection in 0..<300 { idle.append((connection, try #require(Self.open(connection, in: &table).0))) }
        for step in 300..<1_000 {
            if step.isMultiple(of: 3) {
                // Near the head, where it was looked at already.
                let (connection, member) = idle.remove(at: step % 70)
                member.activity.began()
                member.activity.becameIdle()
                idle.append((connection, member))
            }
            let (member, displaced) = Self.open(step, in: &table)
            #expect(displaced == idle.removeFirst().connection)
            idle.append((step, try #require(member)))
        }
    }

    @Test func theOnesThatAreAnsweredStay() throws {
        var table = Self.table(total: 2)
        let ids = try (0..<2).map { try #require(Self.open($0, in: &table).0) }
        for member in ids { member.activity.began() }
        #expect(Self.open(2, in: &table).0 == nil)
        ids[1].activity.becameIdle()
        #expect(Self.open(3, in: &table).1 == 1)
        // Its place is another's: what it still says of itself means nothing.
        ids[1].activity.becameIdle()
        table.closed(ids[1].id)
        #expect(table.count == 2)
    }

    /// Channels that come take files that viewers have had.
    @Test func whenThereMayBeFewerIdleOnesGo() throws {
        var table = Self.table(total: 4)
        let ids = try (0..<4).map { try #require(Self.open($0, in: &table).0) }
        ids[0].activity.began()
        #expect(table.limit(to: .init(total: 2, perAddress: 100)) == [1, 2])
        #expect(table.count == 2)
        ids[3].activity.began()
        #expect(table.limit(to: .init(total: 1, perAddress: 100)).isEmpty, "what is answered stays")
        #expect(Self.open(4, in: &table).0 == nil)
        #expect(table.limit(to: .init(total: 3, perAddress: 100)).isEmpty)
        #expect(Self.open(5, in: &table).0 != nil)
    }

    @Test func anAddressGivesWayToItself() throws {
        var table = Self.table(total: 100, perAddress: 2)
        _ = Self.open(0, from: "b", in: &table)
        let first = try #require(Self.open(1, in: &table).0)
        let second = try #require(Self.open(2, in: &table).0)
        #expect(Self.open(3, in: &table).1 == 1)
        second.activity.began()
        #expect(Self.open(4, in: &table).1 == 3)
        table.closed(first.id)
        #expect(table.count == 3)
        // Another address is not concerned.
        #expect(Self.open(5, from: "b", in: &table).0 != nil)
    }

    @Test func whoClosesLeavesAPlace() throws {
        var table = Self.table(total: 1)
        for connection in 0..<10 {
            let (id, displaced) = Self.open(connection, in: &table)
            #expect(displaced == nil)
            table.closed(try #require(id).id)
            #expect(table.count == 0)
        }
    }

    // MARK: Strangers

    @Test func aStrangerGivesWayWhateverItDoes() throws {
        var table = Self.table(total: 2, requiresAuthentication: true)
        let ids = try (0..<2).map { try #require(Self.open($0, in: &table).0) }
        for member in ids { member.activity.began() }
        #expect(Self.open(2, in: &table).1 == 0)
        // One that has got its answer is the youngest.
        ids[1].activity.becameIdle()
        #expect(Self.open(3, in: &table).1 == 2)
    }

    @Test func aClientThatHasShownWhoItIsStaysWhileThereAreStrangers() throws {
        var table = Self.table(total: 3, requiresAuthentication: true)
        let ids = try (0..<3).map { try #require(Self.open($0, in: &table).0) }
        ids[0].activity.began()
        for member in ids[0...1] { table.recognized(member.id) }
        #expect(Self.open(3, in: &table).1 == 2)
        #expect(Self.open(4, in: &table).1 == 3)
        let stranger = try #require(Self.open(5, in: &table).0)
        table.recognized(stranger.id)
        // There are none any more: the one goes of which nothing is asked.
        #expect(Self.open(6, in: &table).1 == 1)
        #expect(Self.open(7, in: &table).1 == 6)
    }

    @Test func strangersShareTheirAddressAndTheOthersAreNotCounted() throws {
        var table = Self.table(total: 100, perAddress: 2, requiresAuthentication: true)
        for connection in 0..<10 { table.recognized(try #require(Self.open(connection, in: &table).0).id) }
        #expect(table.count == 10)
        let ids = (10..<14).map { Self.open($0, in: &table) }
        #expect(ids.map(\.1) == [nil, nil, 10, 11])
        #expect(Self.open(14, from: "b", in: &table).1 == nil)
        #expect(table.count == 13)
        // One that was closed, or has lost its place, is recognized as nobody.
        let last = try #require(ids[3].0)
        table.closed(last.id)
        table.recognized(last.id)
        table.recognized(try #require(ids[0].0).id)
        #expect(table.count == 12)
        #expect(
            table.limit(to: .init(total: 3, perAddress: 2, requiresAuthentication: true)) == [12, 14] + Array(0..<7)
        )
    }

    /// A refusal costs what the connections of its address cost, and not those of all others.
    @Test func anAddressIsSearchedAlone() {
        var table = Self.table(total: 20_000, perAddress: 10)
        for number in 0..<10_000 { _ = Self.open(number, from: "\(number)", in: &table) }
        for number in 0..<10 {
            let (member, _) = Self.open(number, from: "b", in: &table)
            member?.activity.began()
        }
        let before = table.searchedCount
        for number in 0..<100 { #expect(Self.open(number, from: "b", in: &table).0 == nil) }
        #expect(table.searchedCount - before <= 1_000)
    }

    /// The table does what a list does that is searched.
    @Test func itAgreesWithASlowModel() throws {
        var generator = SeededGenerator(seed: 11)
        var table = Self.table(total: 12, perAddress: 5)
        var model: [(connection: Int, member: Member, address: String, idleSince: Int?)] = []
        for step in 0..<20_000 {
            let index = model.indices.randomElement(using: &generator)
            switch (Int.random(in: 0..<4, using: &generator), index) {
            case (1, let index?):
                model[index].member.activity.began()
                model[index].idleSince = nil
            case (2, let index?):
                model[index].member.activity.becameIdle()
                model[index].idleSince = model[index].idleSince ?? step
            case (3, let index?):
                table.closed(model[index].member.id)
                model.remove(at: index)
            default:
                let address = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                let own = model.filter { $0.address == address }
                let candidates = own.count >= 5 ? own : model.count >= 12 ? model : []
                let isLimited = own.count >= 5 || model.count >= 12
                let oldest = candidates.filter { $0.idleSince != nil }
                    .min { ($0.idleSince ?? 0) < ($1.idleSince ?? 0) }?.connection
                let (id, displaced) = Self.open(step, from: address, in: &table)
                #expect((id == nil) == (isLimited && oldest == nil))
                #expect(displaced == oldest)
                model.removeAll { $0.connection == displaced }
                if let id { model.append((step, id, address, step)) }
            }
            #expect(table.count == model.count)
        }
    }
}
