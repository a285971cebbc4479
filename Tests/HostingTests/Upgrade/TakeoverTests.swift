import Channels
import ContentProtection
import Foundation
import MediaCore
import Operations
import PackagerConfig
import Segmenting
import Succession
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// The process that takes the place of another one.
@Suite(.timeLimit(.minutes(5))) struct TakeoverTests {
    /// Two ends of a conversation in this process.
    private final class End: Successor {
        let path = "/opt/packager"
        let identifier: Int32 = 4711
        let isOver = Occurrence()
        private let messages = AsyncStream<SuccessionMessage>.makeStream()
        private let other = Mutex<End?>(nil)
        private let sent = Mutex<[SuccessionMessage.Kind]>([])

        static func pair() -> (End, End) {
            let (one, other) = (End(), End())
            one.other.withLock { $0 = other }
            other.other.withLock { $0 = one }
            return (one, other)
        }

        /// The kinds of messages that were sent from this end, in order.
        var kinds: [SuccessionMessage.Kind] { sent.withLock { $0 } }

        func send(_ message: SuccessionMessage) throws(SuccessionError) {
            sent.withLock { $0.append(message.kind) }
            _ = other.withLock { $0 }?.messages.continuation.yield(message)
        }

        func next() async -> SuccessionMessage? {
            for await message in messages.stream { return message }
            return nil
        }

        func end() async -> String {
            other.withLock { $0 }?.messages.continuation.finish()
            messages.continuation.finish()
            isOver.happen()
            return "it has ended with exit code 0"
        }
    }

    /// Acts as a process that takes the place of another one.
    private static func takeOver(
        _ end: End,
        _ channels: [ChannelConfiguration],
        _ stage: Stage
    ) -> Task<SetupError?, Never> {
        Task {
            do throws(SetupError) {
                let takeover = try await Takeover(end)
                try await takeover.takeOver(channels, stage.host)
                await takeover.complete([])
                return nil
            } catch {
                try? end.send(SuccessionMessage(.refused, bytes: Array(error.description.utf8)))
                return error
            }
        }
    }

    @Test func channelsGoOnInTheOtherProcess() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        let flags = ["encryption": ["sample-aes"], "backup": [Repository.feed]]
        let channel = try Stage.channel("a", flags)
        try await upgrade.channels.host.add([channel])
        let before = try #require(upgrade.channels.host.registry.members.first)
        try await before.operation.select(input: "backup-1", hold: true, by: nil)
        let stage = Stage()
        let takeover = Self.takeOver(new, [channel], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value == nil)
        #expect(upgrade.upgrade.isHandedOver, "\(upgrade.channels.messages)")
        let after = try #require(stage.host.registry.members.first)
        #expect(after.streamIdentity == before.streamIdentity, "its keys are the same")
        let secrets = [upgrade.channels, stage].map { $0.factory.volatileSecrets.known(ofChannel: "a")?.bytes }
        #expect(secrets[0] != nil && secrets[0] == secrets[1])
        let predecessor = try #require(stage.factory.assemblies.first?.predecessors["a"])
        #expect(predecessor.inputs.map(\.location) == [Repository.smallFeed, Repository.feed])
        #expect(predecessor.inputs.map(\.isHeld) == [false, true])
        #expect(predecessor.window != nil && predecessor.feeds != nil)
        #expect(new.kinds == [.prepared, .feedsOpen, .listening])
    }

    @Test func keysOfAKeySourceGoOnInTheOtherProcess() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        let keys = try WrittenKeys()
        let channel = try WrittenKeys.channel(keys.write("a"))
        try await upgrade.channels.host.add([channel])
        let known = try WrittenKeys.asked(in: upgrade.channels)
        #expect(known.count == 2)
        try keys.write("b")
        let stage = Stage()
        let takeover = Self.takeOver(new, [channel], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value == nil)
        #expect(try WrittenKeys.asked(in: stage) == known)
    }

    /// Their numbers may be those of other feeds by then.
    @Test func heldInputsAreFoundAgainByTheirFeeds() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        let feeds = (1...3).map { FeedLocation("https://192.0.2.1/\($0).m3u8") }
        var channel = try Stage.channel("a")
        (channel.inputs, channel.backups) = ([feeds[0]], [feeds[1], feeds[2]])
        try await upgrade.channels.host.add([channel])
        let before = try #require(upgrade.channels.host.registry.members.first)
        try await before.operation.select(input: "backup-1", hold: true, by: nil)
        channel.backups = [feeds[2], feeds[1]]
        let stage = Stage()
        let takeover = Self.takeOver(new, [channel], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value == nil)
        let after = try #require(stage.host.registry.members.first)
        #expect(after.service.channel.latestStatus.held.map(\.description) == ["backup-2"])
    }

    /// Versions before this one say nothing of it.
    @Test(arguments: ["/srv/state", nil]) func placeOfEventsIsKnown(directory: String?) async throws {
        let (old, new) = End.pair()
        try old.send(SuccessionMessage(.channels, name: directory ?? "", bytes: Array("{}".utf8)))
        #expect(try await Takeover(new).eventDirectory == directory)
    }

    /// The configuration is read by the other process alone.
    @Test(arguments: ["two", nil]) func windowGoesOnWhereTheStateDirectoryIsAnother(name: String?) async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        let directory = try TemporaryDirectory()
        try await upgrade.channels.host.add([try Stage.channel("a", ["state": [directory.file("one")]])])
        let channel = try Stage.channel("a", name.map { ["state": [directory.file($0)]] } ?? [:])
        let stage = Stage()
        let takeover = Self.takeOver(new, [channel], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value == nil)
        #expect(stage.factory.assemblies.first?.predecessors["a"]?.window != nil)
    }

    /// The configuration may have changed since the other process read it.
    @Test func newChannelBeginsAndOneThatIsGoneIsLeftOut() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        try await upgrade.channels.add("a", "b")
        let stage = Stage()
        let takeover = Self.takeOver(new, [try Stage.channel("b"), try Stage.channel("c")], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value == nil)
        #expect(stage.names == ["b", "c"])
        #expect(stage.factory.assemblies.first.map { Set($0.predecessors.keys) } == ["b"])
    }

    @Test func channelThatWouldHaveOtherNumbersIsRefused() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        try await upgrade.channels.add("a")
        let stage = Stage()
        let takeover = Self.takeOver(new, [try Stage.channel("a", ["segment-duration": ["2"]])], stage)
        await upgrade.upgrade.perform()
        let error = try #require(await takeover.value)
        #expect(error.problems.count == 1)
        #expect(error.problems[0].hasPrefix("channel a: segment-duration was 1"))
        #expect(error.problems[0].hasSuffix("restore it, or give the channel another name"))
        #expect(
            upgrade.channels.messages == [
                UpgradeStage.givenUp("/opt/packager: \(error) (it has ended with exit code 0)")
            ]
        )
        #expect(stage.names.isEmpty && upgrade.channels.names == ["a"])
        #expect(upgrade.channels.factory.runner("a")?.ends == nil)
    }

    @Test func secretThatDoesNotComeAlongIsFoundBeforeAnythingIsTaken() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        let directory = try TemporaryDirectory()
        let channels = try ["one", "two"].map { name in
            try Stage.channel("a", ["encryption": ["sample-aes"], "state": [directory.file(name)]])
        }
        try await upgrade.channels.host.add([channels[0]])
        let takeover = Self.takeOver(new, [channels[1]], Stage())
        await upgrade.upgrade.perform()
        #expect(await takeover.value?.items.map(\.setting) == ["key-secret"])
        #expect(!new.kinds.contains(.prepared))
        #expect(upgrade.channels.factory.runner("a")?.ends == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.file("two")))
    }

    @Test func whatASettingLacksIsFoundBeforeAnythingIsTaken() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        try await upgrade.channels.add("a")
        let stage = Stage()
        stage.factory.find("channel a: its slate is missing", with: "a")
        let takeover = Self.takeOver(new, [try Stage.channel("a")], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value?.problems == ["channel a: its slate is missing"])
        #expect(!new.kinds.contains(.prepared))
        #expect(upgrade.channels.factory.runner("a")?.ends == nil)
    }

    /// The old process has let its channels go by then, and takes them back.
    @Test func channelThatDoesNotStartElsewhereIsTakenBack() async throws {
        let (old, new) = End.pair()
        let upgrade = UpgradeStage { old }
        try await upgrade.channels.add("a")
        let stage = Stage()
        stage.factory.fail("a")
        let takeover = Self.takeOver(new, [try Stage.channel("a")], stage)
        await upgrade.upgrade.perform()
        #expect(await takeover.value?.problems == ["channel a: it does not start"])
        let reason = "/opt/packager: channel a: it does not start (it has ended with exit code 0)"
        #expect(upgrade.channels.messages == [UpgradeStage.givenUp(reason)])
        #expect(upgrade.channels.factory.runners("a").map(\.ends) == [false, nil])
    }

    @Test(arguments: [SuccessionMessage.Kind.channels, .openFeeds, .channel])
    func processWhosePredecessorEndsDoesNotGoOn(last: SuccessionMessage.Kind) async throws {
        let (old, new) = End.pair()
        let stage = Stage()
        let channel = try Stage.channel("a")
        let takeover = Self.takeOver(new, [channel], stage)
        // It ends instead of saying the next.
        let identities = Array("{}".utf8)
        if last != .channels { try old.send(SuccessionMessage(.channels, bytes: identities)) }
        if last == .channel { try old.send(SuccessionMessage(.openFeeds)) }
        _ = await old.end()
        #expect(
            await takeover.value?.problems == [
                "the former process has ended, or has given up the upgrade"
            ]
        )
        #expect(stage.names.isEmpty)
    }

    @Test func channelThatCannotBeReadIsNotTakenOver() async throws {
        let (old, new) = End.pair()
        let stage = Stage()
        let takeover = Self.takeOver(new, [try Stage.channel("a")], stage)
        try old.send(SuccessionMessage(.channels, bytes: Array("{}".utf8)))
        try old.send(SuccessionMessage(.openFeeds))
        try old.send(SuccessionMessage(.channel, name: "a", bytes: Array("[]".utf8)))
        #expect(
            await takeover.value?.problems == [
                "channel a: its state from the former process cannot be read"
            ]
        )
        #expect(stage.names.isEmpty)
    }
}
