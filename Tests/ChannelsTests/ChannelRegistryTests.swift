import Testing

@testable import Channels

@Suite struct ChannelRegistryTests {
    @Test func aNameIsTakenUntilItIsFreed() {
        let registry = ChannelRegistry<Int>()
        #expect(registry.take("live"))
        #expect(!registry.take("live"), "it is being put together")
        #expect(registry["live"] == nil)
        registry.add(1, as: "live")
        #expect(!registry.take("live"))
        #expect(registry["live"] == 1)
        #expect(registry.remove("live") == 1)
        #expect(registry["live"] == nil)
        #expect(registry.remove("live") == nil)
        #expect(!registry.take("live"), "its journal is still open")
        registry.free("live")
        #expect(registry.take("live"))
    }

    @Test func membersAreInTheOrderInWhichTheyCame() {
        let registry = ChannelRegistry<Int>()
        for (index, name) in ["b", "a", "c"].enumerated() { registry.add(index, as: name) }
        #expect(registry.names == ["b", "a", "c"])
        #expect(registry.remove("a") == 1)
        registry.add(3, as: "a")
        #expect(registry.names == ["b", "c", "a"])
        #expect(registry.members == [0, 2, 3])
    }

    @Test func oneOfManyWhoWantTheSameNameGetsIt() async {
        let registry = ChannelRegistry<Int>()
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { registry.take("live") } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }
}
