import Operations
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// Channels that are added, run and removed.
@Suite(.timeLimit(.minutes(5))) struct ChannelHostTests {
    @Test func addedChannelsAreServedAndCounted() async throws {
        let stage = Stage()
        try await stage.add("a", "b")
        #expect(stage.names == ["a", "b"])
        #expect(stage.counts == [2])
        #expect(stage.factory.assemblies.map(\.names) == [["a", "b"]])
        #expect(stage.factory.runner("a")?.started.hasHappened == false, "nothing runs before the host does")
    }

    @Test func channelsRunOnceTheHostDoes() async throws {
        let stage = Stage()
        try await stage.add("a")
        try await stage.running {
            await stage.factory.runner("a")?.started.wait()
            try await stage.add("b")
            await stage.factory.runner("b")?.started.wait()
        }
        #expect(stage.factory.runner("b")?.started.hasHappened == true)
    }

    @Test func removedChannelIsClosedAndItsNameIsFree() async throws {
        let stage = Stage()
        try await stage.add("a")
        #expect(await stage.host.remove("a", ends: true))
        #expect(stage.factory.runner("a")?.ends == true)
        #expect(stage.names.isEmpty && stage.counts == [1, 0])
        #expect(await !stage.host.remove("a", ends: true), "there is none any more")
        try await stage.add("a")
        #expect(await stage.host.remove("a", ends: false))
        #expect(stage.factory.runner("a")?.ends == false)
    }

    @Test func twoOfOneNameAreRefused() async throws {
        let stage = Stage()
        try await stage.add("a")
        let both = try [Stage.channel("b"), Stage.channel("a")]
        await #expect {
            try await stage.host.add(both)
        } throws: {
            "\($0)" == "channel a: this name is in use, or was until a moment ago"
        }
        #expect(stage.names == ["a"])
        try await stage.add("b")
        #expect(stage.names == ["a", "b"])
    }

    @Test func twoThatWriteToOneDirectoryAreRefused() async throws {
        let stage = Stage()
        let directory = try TemporaryDirectory()
        try await stage.host.add([try Stage.channel("a", ["output": [directory.file("out")]])])
        let other = try Stage.channel("b", ["output": [directory.file("./out/")]])
        await #expect {
            try await stage.host.add([other])
        } throws: {
            "\($0)".hasPrefix("channel b: ") && "\($0)".contains("(channel a)")
        }
        #expect(stage.names == ["a"] && stage.factory.assemblies.count == 1)
    }

    @Test func channelThatDoesNotStartLeavesNothing() async throws {
        let stage = Stage()
        stage.factory.fail("b")
        let both = try [Stage.channel("a"), Stage.channel("b")]
        await #expect {
            try await stage.host.add(both)
        } throws: {
            "\($0)" == "channel b: it does not start"
        }
        #expect(stage.names.isEmpty && stage.host.configurations.isEmpty)
        #expect(stage.counts.last == 0)
        try await stage.host.add(both)
        #expect(stage.names == ["a", "b"])
    }

    /// A disk may hang for as long as it likes: only the name of the channel waits for it.
    @Test func channelThatDoesNotCloseHoldsUpNoOther() async throws {
        let stage = Stage()
        stage.factory.holdClosing(of: "a")
        try await stage.add("a")
        let runner = try #require(stage.factory.runner("a"))
        let removal = Task { await stage.host.remove("a", ends: true) }
        await runner.closing.wait()
        #expect(stage.names.isEmpty, "it is served no longer")
        let again = try Stage.channel("a")
        await #expect {
            try await stage.host.add([again])
        } throws: {
            "\($0)" == "channel a: this name is in use, or was until a moment ago"
        }
        try await stage.add("b")
        #expect(await stage.host.remove("b", ends: true))
        runner.mayClose.happen()
        #expect(await removal.value)
        try await stage.add("a")
        #expect(stage.names == ["a"])
    }

    @Test func hostEndsWithItsLastChannel() async throws {
        let stage = Stage()
        try await stage.add("a", "b")
        let running = Task { try await stage.host.run() }
        for name in ["a", "b"] { await stage.factory.runner(name)?.started.wait() }
        stage.factory.runner("a")?.finish(FeedError(channel: "a", [("feed.ts", "it is empty")]))
        stage.factory.runner("b")?.finish()
        await #expect {
            try await running.value
        } throws: { error in
            let error = error as? FeedError
            return error?.exitCode == 1
                && error?.description == "channel a: nothing of feed.ts could be published: it is empty"
        }
    }

    @Test func endOfPipesIsNoErrorOfAHostThatIsStopped() async throws {
        let stage = Stage()
        try await stage.add("a", "b")
        let running = Task { try await stage.host.run() }
        for name in ["a", "b"] { await stage.factory.runner(name)?.started.wait() }
        stage.factory.runner("a")?.finish(FeedError(endOfPipesOf: "a"))
        await stage.ended("a")
        stage.host.stop()
        try await running.value
    }

    @Test func endOfAllPipesEndsTheHostWithTheirCode() async throws {
        let stage = Stage()
        try await stage.add("a")
        let running = Task { try await stage.host.run() }
        await stage.factory.runner("a")?.started.wait()
        stage.factory.runner("a")?.finish(FeedError(endOfPipesOf: "a"))
        await #expect {
            try await running.value
        } throws: {
            ($0 as? FeedError)?.exitCode == 3
        }
    }

    /// The end of a removed channel does not end the program.
    @Test func removedChannelDoesNotEndTheHost() async throws {
        let stage = Stage()
        try await stage.add("a")
        try await stage.running {
            await stage.factory.runner("a")?.started.wait()
            #expect(await stage.host.remove("a", ends: true))
            try await stage.add("b")
            await stage.factory.runner("b")?.started.wait()
        }
        #expect(stage.names == ["b"])
    }
}
