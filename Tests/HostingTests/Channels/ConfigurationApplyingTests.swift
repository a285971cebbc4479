import Channels
import Ingest
import MediaCore
import Operations
import PackagerConfig
import Segmenting
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// A change of the configuration, which is made as a whole or not at all.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationApplyingTests {
    private struct Channels {
        let a, longerA, b, c: ChannelConfiguration

        init() throws {
            a = try Stage.channel("a")
            longerA = try Stage.channel("a", ["window": ["90"]])
            b = try Stage.channel("b")
            c = try Stage.channel("c")
        }
    }

    @Test func channelsAreAddedChangedAndRemoved() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a, channels.b])
        let old = try #require(stage.factory.runner("a"))
        try await stage.running {
            try await stage.host.apply(
                Stage.change(from: [channels.a, channels.b], to: [channels.longerA, channels.c])
            )
            for name in ["a", "c"] { await stage.factory.runner(name)?.started.wait() }
        }
        #expect(Set(stage.names) == ["a", "c"])
        #expect(old.ends == false, "players go on with its window")
        #expect(stage.factory.runner("b")?.ends == true, "its stream is over")
        #expect(stage.host.configurations.first { $0.name == "a" } == channels.longerA)
    }

    /// The channel that is closed must not be started again, for its place is then taken when the next one is there.
    @Test func channelThatChangesWhileTheHostStartsRuns() async throws {
        let (stage, channels) = (Stage(), try Channels())
        stage.factory.holdClosing(of: "a")
        try await stage.host.add([channels.a, channels.b])
        let old = try #require(stage.factory.runner("a"))
        let change = try Stage.change(from: [channels.a, channels.b], to: [channels.longerA, channels.b])
        let applying = Task { try await stage.host.apply(change) }
        await old.closing.wait()
        try await stage.running {
            await stage.factory.runner("b")?.started.wait()
            #expect(stage.host.state.withLock { $0.tasks["a"] == nil }, "it is being closed")
            old.mayClose.happen()
            try await applying.value
            #expect(stage.host.state.withLock { $0.tasks["a"] != nil }, "the one in its place runs")
            stage.factory.runner("a")?.mayClose.happen()
        }
    }

    @Test func hostGoesOnForAChannelThatIsBeingChanged() async throws {
        let (stage, channels) = (Stage(), try Channels())
        stage.factory.holdClosing(of: "a")
        try await stage.host.add([channels.a, channels.b])
        let old = try #require(stage.factory.runner("a"))
        let change = try Stage.change(from: [channels.a, channels.b], to: [channels.longerA, channels.b])
        try await stage.running {
            for name in ["a", "b"] { await stage.factory.runner(name)?.started.wait() }
            let applying = Task { try await stage.host.apply(change) }
            await old.closing.wait()
            stage.factory.runner("b")?.finish()
            await stage.ended("b")
            old.mayClose.happen()
            try await applying.value
            #expect(stage.host.state.withLock { $0.tasks["a"] != nil }, "the one in its place runs")
            stage.factory.runner("a")?.mayClose.happen()
        }
    }

    @Test func changedChannelHasWhatTheOneBeforeItLeaves() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a])
        let identity = try #require(stage.host.registry.members.first).streamIdentity
        try await stage.host.apply(Stage.change(from: [channels.a], to: [channels.longerA]))
        let predecessor = try #require(stage.factory.assemblies.last?.predecessors["a"])
        #expect(predecessor.streamIdentity == identity)
        #expect(predecessor.window != nil, "nothing of it is on disk")
    }

    @Test func inputThatAnOperatorHoldsIsHeldAfterAChange() async throws {
        let stage = Stage()
        let backup = ["backup": [Repository.feed]]
        let before = try Stage.channel("a", backup)
        try await stage.host.add([before])
        let hosted = try #require(stage.host.registry.members.first)
        try await hosted.operation.select(input: "backup-1", hold: true, by: nil)
        let after = try Stage.channel("a", backup.merging(["window": ["90"]]) { $1 })
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        #expect(stage.factory.assemblies.last?.predecessors["a"]?.inputs.filter(\.isHeld).map(\.name) == ["backup-1"])
        let next = try #require(stage.host.registry.members.first)
        #expect(next.service.channel.latestStatus.held.map(\.description) == ["backup-1"])
    }

    /// Their numbers may be those of other feeds by then.
    @Test func allHeldInputsAreHeldAfterAChangeByTheirFeeds() async throws {
        let stage = Stage()
        let feeds = (1...4).map { FeedLocation("https://192.0.2.1/\($0).m3u8") }
        var before = try Stage.channel("a")
        (before.inputs, before.backups) = ([feeds[0], feeds[1]], [feeds[2], feeds[3]])
        try await stage.host.add([before])
        let hosted = try #require(stage.host.registry.members.first)
        for name in ["backup-1", "backup-2"] { try await hosted.operation.select(input: name, hold: true, by: "ana") }
        var after = before
        (after.inputs, after.backups) = ([feeds[3], feeds[0]], [feeds[1], feeds[2]])
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        let next = try #require(stage.host.registry.members.first)
        #expect(next.service.channel.latestStatus.held.map(\.description) == ["input-1", "backup-2"])
        #expect(stage.messages.filter { $0 == "Chosen by ana through the control API, and held." }.count == 2)
        let kept = "Held by an operator since before the channel was changed or handed over."
        #expect(stage.messages.filter { $0 == kept }.count == 2)
    }

    @Test func heldInputWhoseFeedIsGoneIsNotHeldAndThatIsTold() async throws {
        let stage = Stage()
        let feeds = (1...3).map { FeedLocation("https://192.0.2.1/\($0).m3u8") }
        var before = try Stage.channel("a")
        (before.inputs, before.backups) = ([feeds[0]], [feeds[1]])
        try await stage.host.add([before])
        let hosted = try #require(stage.host.registry.members.first)
        try await hosted.operation.select(input: "backup-1", hold: true, by: nil)
        var after = before
        after.backups = [feeds[2]]
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        let next = try #require(stage.host.registry.members.first)
        #expect(next.service.channel.latestStatus.held.isEmpty)
        let told = stage.events.entries().map(\.event).filter { $0.message.hasPrefix("The hold of ") }
        #expect(told.map(\.channel) == ["a"])
        #expect(
            told.map(\.message) == [
                "The hold of backup-1 (https://192.0.2.1/2.m3u8) is over, since the channel no longer has this feed, and the "
                    + "packager chooses the input again."
            ]
        )
    }

    private static func program(_ number: String, of feed: String, as name: String) throws -> ChannelConfiguration {
        let flags = ["name": [name], "input": [feed], "program": [number], "segment-duration": ["1"]]
        return try Configuration.load(flags: flags).channels[0]
    }

    /// A port can be opened only once.
    @Test func programIsAddedToAFeedThatIsOpen() async throws {
        let stage = Stage()
        let feed = "udp://127.0.0.1:\(Ports.free(datagram: true))"
        let (a, b) = try (Self.program("10", of: feed, as: "a"), Self.program("20", of: feed, as: "b"))
        try await stage.host.add([a])
        try await stage.host.apply(Stage.change(from: [a], to: [a, b]))
        let last = try #require(stage.factory.assemblies.last)
        #expect(last.names == [a.name, b.name] && Set(last.predecessors.keys) == [a.name])
        let readers = stage.host.registry.members.map { $0.service.readers[0] }
        try #require(readers.count == 2)
        #expect(!readers[0].stop(), "the other one still reads it")
        #expect(readers[1].stop())
    }

    /// What was opened for both is left to the one that was there.
    @Test func programThatCannotBeAddedLeavesTheFeedToTheOther() async throws {
        let stage = Stage()
        let feed = "udp://127.0.0.1:\(Ports.free(datagram: true))"
        let (a, b) = try (Self.program("10", of: feed, as: "a"), Self.program("20", of: feed, as: "b"))
        try await stage.host.add([a])
        stage.factory.fail(b.name)
        let change = try Stage.change(from: [a], to: [a, b])
        await #expect(throws: SetupError.self) { try await stage.host.apply(change) }
        #expect(stage.names == [a.name] && stage.host.configurations == [a])
        #expect(stage.factory.assemblies.map(\.names) == [[a.name], [a.name, b.name], [a.name]])
        let last = try #require(stage.factory.assemblies.last)
        #expect(last.predecessors[a.name]?.feeds?[feed] != nil)
        #expect(last.predecessors[a.name]?.feeds?[feed]?.claim() == false, "its reader has it")
    }

    @Test func unchangedChannelIsLeftAlone() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a, channels.b])
        try await stage.host.apply(
            Stage.change(from: [channels.a, channels.b], to: [channels.longerA, channels.b])
        )
        #expect(stage.factory.runners("b").count == 1 && stage.factory.runner("b")?.ends == nil)
        #expect(stage.factory.runners("a").count == 2)
    }

    @Test func rehearsalFindsProblemsAndChangesNothing() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a])
        stage.factory.find("channel b: its slate is missing", with: "b")
        let change = try Stage.change(from: [channels.a], to: [channels.longerA, channels.b])
        for attempt in [stage.host.rehearse, stage.host.apply] {
            await #expect {
                try await attempt(change)
            } throws: {
                "\($0)" == "channel b: its slate is missing"
            }
        }
        #expect(stage.factory.assemblies.count == 1 && stage.factory.runner("a")?.ends == nil)
        stage.factory.find(nil, with: "b")
        try await stage.host.rehearse(change)
        #expect(stage.names == ["a"] && stage.factory.assemblies.count == 1)
    }

    /// A channel that is renamed, and writes where it wrote: the rehearsal says what the change would say.
    @Test func rehearsalFindsPlacesThatAreTaken() async throws {
        let stage = Stage()
        let old = try Stage.channel("live", ["output": ["/srv/hls"]])
        try await stage.host.add([old])
        let change = try Stage.change(from: [old], to: [try Stage.channel("news", ["output": ["/srv/hls"]])])
        for attempt in [stage.host.rehearse, stage.host.apply] {
            await #expect {
                try await attempt(change)
            } throws: {
                "\($0)" == "channel news: another channel writes to '/srv/hls' too (channel live); each needs its own; "
                    + "remove live first, in a reload of its own"
            }
        }
        #expect(stage.names == ["live"] && stage.factory.assemblies.count == 1)
    }

    /// The window of a stream on air depends on the setting.
    @Test func changeThatOnlyARestartCanMakeIsRefused() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a])
        let other = try Stage.channel("a", ["segment-duration": ["2"]])
        let change = try Stage.change(from: [channels.a], to: [other])
        await #expect {
            try await stage.host.apply(change)
        } throws: {
            "\($0)".hasPrefix("channel a: segment-duration: ")
        }
        #expect(stage.factory.runner("a")?.ends == nil)
    }

    @Test func channelThatCannotBeChangedIsPutBack() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a])
        stage.factory.fail("a")
        let change = try Stage.change(from: [channels.a], to: [channels.longerA])
        try await stage.running {
            await #expect {
                try await stage.host.apply(change)
            } throws: {
                "\($0)" == "channel a: it does not start"
            }
            await stage.factory.runner("a")?.started.wait()
        }
        #expect(stage.names == ["a"] && stage.host.configurations == [channels.a])
        let last = try #require(stage.factory.assemblies.last)
        #expect(last.names == ["a"] && last.predecessors["a"] != nil, "with all that it has listed")
    }

    @Test func channelThatCannotBeAddedUndoesTheChangeOfOthers() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a, channels.b])
        stage.factory.fail("c")
        let change = try Stage.change(from: [channels.a, channels.b], to: [channels.longerA, channels.c])
        await #expect {
            try await stage.host.apply(change)
        } throws: {
            "\($0)" == "channel c: it does not start"
        }
        #expect(stage.host.configurations.first { $0.name == "a" } == channels.a)
        #expect(stage.factory.runners("a").map(\.ends) == [false, nil], "as it was, and so again")
        #expect(stage.factory.runner("b")?.ends == nil, "nothing is removed by a change that fails")
        #expect(Set(stage.names) == ["a", "b"])
    }

    @Test func changeThatCannotBeUndoneSaysBothReasons() async throws {
        let (stage, channels) = (Stage(), try Channels())
        try await stage.host.add([channels.a])
        stage.factory.fail("c")
        stage.factory.fail("a", [false, true])
        let change = try Stage.change(from: [channels.a], to: [channels.longerA, channels.c])
        await #expect {
            try await stage.host.apply(change)
        } throws: {
            ($0 as? SetupError)?.problems == ["channel c: it does not start", "channel a: it does not start"]
        }
        #expect(stage.names == ["a"], "it stays on air as it was to be")
    }
}
