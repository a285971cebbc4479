import Control
import Foundation
import MediaCore
import Operations
import PackagerConfig
import Succession
import TestSupport
import Testing

@testable import Hosting

/// Handing everything to another process, and taking it back from one that does not continue with it.
@Suite(.timeLimit(.minutes(5))) struct UpgradeTests {
    @Test func everythingIsHandedOverInOrder() async throws {
        let successor = ScriptedSuccessor()
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a", "b")
        let running = Task { try await stage.channels.host.run() }
        for name in ["a", "b"] { await stage.channels.factory.runner(name)?.started.wait() }
        await stage.upgrade.perform()
        try await running.value
        #expect(stage.upgrade.isHandedOver)
        #expect(successor.messages.map(\.kind) == [.channels, .openFeeds, .channel, .channel, .yours, .retired])
        #expect(successor.messages.filter { $0.kind == .channel }.map(\.name) == ["a", "b"])
        #expect(stage.channels.messages == ["Process 4711 has taken the place of this one."])
        #expect(stage.announced() == ["successor 4711"])
        for name in ["a", "b"] {
            #expect(stage.channels.factory.runners(name).map(\.ends) == [false], "its stream goes on elsewhere")
        }
        #expect(stage.channels.names == ["a", "b"], "what is asked for meanwhile is answered")
        #expect(!successor.ended.hasHappened)
    }

    @Test func identitiesOfStreamsAndThePlaceOfEventsAreToldFirst() async throws {
        let successor = ScriptedSuccessor()
        let stage = UpgradeStage(eventDirectory: "/srv/state") { successor }
        try await stage.channels.add("a")
        await stage.upgrade.perform()
        let first = try #require(successor.messages.first)
        let told = try JSONDecoder().decode([String: [String: String]].self, from: Data(first.bytes))
        #expect(told == stage.channels.host.streamIdentities && told["a"]?.isEmpty == false)
        #expect(first.name == "/srv/state")
    }

    /// In the same place it is in the journal, and versions before this one do not say where they look.
    @Test(arguments: [("here", false), ("elsewhere", true), (nil, false)] as [(String?, Bool)])
    func windowIsHandedOverWhereItIsLookedForElsewhere(place: String?, isLeft: Bool) async throws {
        let directory = try TemporaryDirectory()
        let told = try place.map { try JSONEncoder().encode(["a": ["state": directory.file($0)]]) }
        let successor = ScriptedSuccessor([.openFeeds: .says(.feedsOpen, Array(told ?? Data()))])
        let stage = UpgradeStage { successor }
        try await stage.channels.host.add([try Stage.channel("a", ["state": [directory.file("here")]])])
        await stage.upgrade.perform()
        #expect(stage.upgrade.isHandedOver)
        let message = try #require(successor.messages.first { $0.kind == .channel })
        let handover = try JSONDecoder().decode(ChannelHandover.self, from: Data(message.bytes))
        #expect((handover.window != nil) == isLeft)
    }

    @Test func processThatHasHandedOverDoesNotDoSoAgain() async throws {
        let stage = UpgradeStage { ScriptedSuccessor() }
        try await stage.channels.add("a")
        await stage.upgrade.perform()
        await stage.upgrade.perform()
        #expect(stage.starts() == 1)
    }

    @Test func secondUpgradeDoesNotBeginDuringTheFirst() async throws {
        let successor = ScriptedSuccessor([.channels: .silence])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a")
        let first = Task { await stage.upgrade.perform() }
        while successor.messages.isEmpty { await Task.yield() }
        await stage.upgrade.perform()
        #expect(stage.starts() == 1)
        _ = await successor.end()
        await first.value
        await stage.upgrade.perform()
        #expect(stage.starts() == 2, "one that was given up may be tried again")
    }

    // MARK: Roll-backs before anything is let go

    @Test func processThatDoesNotStartChangesNothing() async throws {
        let stage = UpgradeStage { () throws(SuccessionError) in
            throw SuccessionError("/opt/packager: Exec format error")
        }
        try await stage.channels.add("a")
        await stage.upgrade.perform()
        #expect(stage.channels.messages == [UpgradeStage.givenUp("/opt/packager: Exec format error")])
        #expect(!stage.upgrade.isHandedOver && stage.announced().isEmpty)
        #expect(stage.channels.factory.runner("a")?.ends == nil)
        try await stage.channels.add("b")
    }

    /// Standard input, and files that are read as fast as possible, begin anew in another process.
    @Test(arguments: [
        (true, "channel a reads standard input, which cannot be handed over"),
        (false, "channel a runs with --no-realtime, and would start over"),
    ])
    func feedThatNobodyElseCanReadIsAnObstacle(isStandardInput: Bool, reason: String) async throws {
        let stage = UpgradeStage { ScriptedSuccessor() }
        var channel = try Stage.channel("a")
        if isStandardInput { channel.inputs = [FeedLocation("-")] } else { channel.isRealtime = false }
        try await stage.channels.host.add([channel])
        await stage.upgrade.perform()
        #expect(stage.channels.messages == [UpgradeStage.givenUp(reason)])
        #expect(stage.starts() == 0)
    }

    /// The message that fails, its answer, and the reason that is recorded.
    private static let failures: [(SuccessionMessage.Kind, ScriptedSuccessor.Answer, String)] = [
        (.channels, .refuses("listen: only a restart"), "listen: only a restart"),
        (.channels, .dies, "the new process did not reach 'prepared'"),
        (.channels, .says(.feedsOpen), "the new process did not reach 'prepared'"),
        (.channels, .isGone, "send: Broken pipe"),
        (.openFeeds, .refuses("no such port"), "no such port"),
        (.openFeeds, .dies, "the new process did not reach 'feedsOpen'"),
        (.openFeeds, .isGone, "send: Broken pipe"),
    ]

    @Test(arguments: failures.indices) func processThatFailsBeforeItHasAnythingChangesNothing(index: Int) async throws {
        let (kind, answer, reason) = Self.failures[index]
        let successor = ScriptedSuccessor([kind: answer])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a")
        await stage.upgrade.perform()
        let said = UpgradeStage.givenUp("/opt/packager: \(reason) (\(ScriptedSuccessor.end))")
        #expect(stage.channels.messages == [said])
        #expect(successor.ended.hasHappened, "what it has open has to be free")
        #expect(!stage.upgrade.isHandedOver)
        #expect(stage.channels.factory.runners("a").map(\.ends) == [nil], "it was never let go")
        try await stage.channels.add("b")
    }

    @Test(arguments: [(SuccessionMessage.Kind.channels, "prepared"), (.openFeeds, "feedsOpen")])
    func processThatSaysNothingInTimeIsEnded(kind: SuccessionMessage.Kind, awaited: String) async throws {
        let successor = ScriptedSuccessor([kind: .silence])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a")
        await Self.perform(stage, untilSilenceAfter: kind, of: successor)
        let reason = "/opt/packager: the new process did not reach '\(awaited)' (\(ScriptedSuccessor.end))"
        #expect(stage.channels.messages == [UpgradeStage.givenUp(reason)])
        #expect(!stage.upgrade.isHandedOver && successor.ended.hasHappened)
        #expect(stage.channels.factory.runner("a")?.ends == nil)
    }

    /// Upgrades, and lets the time run out while a process says nothing.
    private static func perform(
        _ stage: UpgradeStage,
        untilSilenceAfter kind: SuccessionMessage.Kind,
        of successor: ScriptedSuccessor
    ) async {
        let upgrade = Task { await stage.upgrade.perform() }
        while !successor.messages.contains(where: { $0.kind == kind }) { await Task.yield() }
        // A waiter for an answer may begin to wait only now.
        while !successor.ended.hasHappened {
            stage.expire()
            await Task.yield()
        }
        await upgrade.value
    }

    // MARK: Roll-backs after channels were let go

    private static let lateFailures: [(SuccessionMessage.Kind, ScriptedSuccessor.Answer, String)] = [
        (.yours, .refuses("state: it is in use"), "state: it is in use"),
        (.yours, .dies, "the new process did not reach 'listening'"),
        (.channel, .isGone, "send: Broken pipe"),
        (.yours, .isGone, "send: Broken pipe"),
    ]

    @Test(arguments: lateFailures.indices) func channelsAreTakenBackFromAProcessThatFails(index: Int) async throws {
        let (kind, answer, reason) = Self.lateFailures[index]
        let successor = ScriptedSuccessor([kind: answer])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a", "b")
        try await stage.channels.running {
            for name in ["a", "b"] { await stage.channels.factory.runner(name)?.started.wait() }
            await stage.upgrade.perform()
            let said = UpgradeStage.givenUp("/opt/packager: \(reason) (\(ScriptedSuccessor.end))")
            #expect(stage.channels.messages == [said])
            #expect(successor.ended.hasHappened && !stage.upgrade.isHandedOver)
            for name in ["a", "b"] {
                await stage.channels.factory.runner(name)?.started.wait()
                #expect(stage.channels.factory.runners(name).map(\.ends) == [false, nil])
            }
            try await stage.channels.add("c")
        }
        let again = try #require(stage.channels.factory.assemblies.dropFirst().first)
        #expect(Set(again.names) == ["a", "b"] && Set(again.predecessors.keys) == ["a", "b"])
        #expect(stage.channels.names == ["a", "b", "c"])
    }

    @Test func channelsAreTakenBackFromAProcessThatSaysNothingInTime() async throws {
        let successor = ScriptedSuccessor([.yours: .silence])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a")
        await Self.perform(stage, untilSilenceAfter: .yours, of: successor)
        let reason = "/opt/packager: the new process did not reach 'listening' (\(ScriptedSuccessor.end))"
        #expect(stage.channels.messages == [UpgradeStage.givenUp(reason)])
        #expect(stage.channels.factory.runners("a").map(\.ends) == [false, nil])
    }

    @Test func channelsThatCannotBeTakenBackAreNamed() async throws {
        let stage = UpgradeStage { ScriptedSuccessor([.yours: .dies]) }
        try await stage.channels.add("a")
        stage.channels.factory.fail("a")
        await stage.upgrade.perform()
        let reason =
            "/opt/packager: the new process did not reach 'listening' (\(ScriptedSuccessor.end)); "
            + "the channels cannot be taken back: channel a: it does not start"
        #expect(stage.channels.messages == [UpgradeStage.givenUp(reason)])
    }

    // MARK: Changes meanwhile

    /// The channel would be lost with this process.
    @Test func channelThatIsAddedWhileAllAreHandedOverIsRefused() async throws {
        let successor = ScriptedSuccessor([.yours: .silence])
        let stage = UpgradeStage { successor }
        try await stage.channels.add("a")
        let upgrade = Task { await stage.upgrade.perform() }
        while !successor.messages.contains(where: { $0.kind == .yours }) { await Task.yield() }
        let channel = try Stage.channel("b")
        await #expect {
            try await stage.channels.host.add([channel])
        } throws: {
            "\($0)" == "an upgrade hands all channels to another process: ask that one"
        }
        #expect(stage.channels.names == ["a"])
        _ = await successor.end()
        await upgrade.value
        try await stage.channels.host.add([channel])
        #expect(stage.channels.names == ["a", "b"])
    }

    @Test func reloadIsDoneBeforeAnUpgradeOrAfterIt() async throws {
        let process = try await ReloadStage()
        let successor = ScriptedSuccessor([.openFeeds: .silence])
        let stage = UpgradeStage(process.channels) { successor }
        let upgrade = Task { await process.reloader.whileNothingChanges { await stage.upgrade.perform() } }
        while !successor.messages.contains(where: { $0.kind == .openFeeds }) { await Task.yield() }
        process.files.write(ReloadStage.file("- {name: c, input: \(Repository.smallFeed), loop: true}"))
        let reload = Task { try await process.reloader.reload(isRehearsal: false, for: nil) }
        for _ in 0..<100 { await Task.yield() }
        #expect(process.channels.names == ["a", "b"], "what is handed over does not change")
        _ = await successor.end()
        await upgrade.value
        #expect(try await reload.value.added == ["c"])
        #expect(process.channels.names == ["c"])
    }

    /// Its files belong to the other process, which may have kept changes in them already.
    @Test func changeAfterAnUpgradeKeepsNothing() async throws {
        let process = try await ReloadStage()
        let stage = UpgradeStage(process.channels) { ScriptedSuccessor() }
        await stage.upgrade.perform()
        #expect(stage.upgrade.isHandedOver)
        await #expect {
            try await process.reloader.edit(
                "c",
                .put("input: \(Repository.smallFeed)\nloop: true\n"),
                where: Precondition(),
                isRehearsal: false,
                for: Requester(name: "ana", address: "192.0.2.1", role: .operator)
            )
        } throws: {
            "\($0)".contains("an upgrade hands all channels to another process: ask that one")
        }
        #expect(process.files.overlays.isEmpty)
    }
}
