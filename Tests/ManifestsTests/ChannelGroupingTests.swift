import Testing

@testable import Manifests

@Suite struct ChannelGroupingTests {
    @Test func groupsAreFilledInTheOrderOfTheFile() {
        let grouping = ChannelGrouping(["a", "b", "c"], size: 2)
        #expect(grouping.groups == [1: ["a", "b"], 2: ["c"]])
    }

    @Test func channelsStayWhereTheyAre() {
        let before = ChannelGrouping(["a", "b", "c", "d", "e"], size: 2)
        let after = ChannelGrouping(["new", "e", "d", "c", "b"], size: 2, keeping: before)
        // The place of the channel that is gone is taken by the new one.
        #expect(after.groups == [1: ["new", "b"], 2: ["d", "c"], 3: ["e"]])
    }

    @Test func aGroupThatHasMoreThanIsAllowedStays() {
        let before = ChannelGrouping(["a", "b", "c"], size: 3)
        let after = ChannelGrouping(["a", "b", "c", "d"], size: 1, keeping: before)
        #expect(after.groups == [1: ["a", "b", "c"], 2: ["d"]])
    }

    @Test func aGroupWithoutChannelsIsGone() {
        let before = ChannelGrouping(["a", "b"], size: 1)
        #expect(ChannelGrouping(["b"], size: 1, keeping: before).groups == [2: ["b"]])
    }

    @Test(arguments: ["", "kind: ConfigMap", "a: [", "kind: ConfigMap\nmetadata: { labels: { packager/group: none } }"])
    func whatIsNoManifestHasNoGroups(text: String) {
        #expect(ChannelGrouping(ofManifests: text) == nil)
    }
}
