import Testing

@testable import MediaCore

@Suite struct NewcomersTests {
    @Test func crowdTakesPlacesFromItself() {
        var newcomers = Newcomers<Int>(most: 4)
        #expect(newcomers.came(1, from: "encoder") == nil)
        for id in 2...4 { #expect(newcomers.came(id, from: "crowd") == nil) }
        for id in 5...1_000 {
            #expect(newcomers.came(id, from: "crowd") == .init(id: id - 3, network: "crowd", held: 3))
        }
        #expect(newcomers.contains(1))
        // Later connections find a place, too.
        #expect(newcomers.came(2_000, from: "other") == .init(id: 998, network: "crowd", held: 3))
        #expect(Set(newcomers.ids) == [1, 999, 1_000, 2_000])
    }

    /// Among equals the one goes that has made no progress for longest.
    @Test func progressKeepsAPlace() {
        var newcomers = Newcomers<Int>(most: 3)
        for id in 1...3 { _ = newcomers.came(id, from: "\(id)") }
        newcomers.advanced(1)
        #expect(newcomers.came(4, from: "4")?.id == 2)
        #expect(newcomers.came(5, from: "5")?.id == 3)
        #expect(newcomers.came(6, from: "6")?.id == 1)
    }

    @Test func placesOfThoseWhoLeftAreFree() {
        var newcomers = Newcomers<Int>(most: 2)
        _ = newcomers.came(1, from: "a")
        _ = newcomers.came(2, from: "a")
        newcomers.left(1)
        newcomers.left(1)
        #expect(newcomers.came(3, from: "b") == nil)
        #expect(newcomers.came(4, from: "a")?.id == 2)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8::1", "20:1:d:b8:0:0:0:0"),
        ("2001:db8::ffff:1", "20:1:d:b8:0:0:0:0"), ("2001:db8:0:1::1", "20:1:d:b8:0:0:0:1"), ("nowhere", "nowhere"),
    ])
    func clientsAreCountedByNetwork(address: String, network: String) {
        #expect(AddressRange.network(of: address) == network)
    }
}
