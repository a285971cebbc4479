import Control
import EventDelivery
import MediaCore
import Operations
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// A configuration that is read again while channels are on air.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationReloaderTests {
    @Test func sameFileChangesNothing() async throws {
        let stage = try await ReloadStage()
        let report = try await stage.reload("# A comment.\n" + ReloadStage.two)
        #expect(report.unchanged == ["a", "b"])
        #expect(report.added.isEmpty && report.changed.isEmpty && report.removed.isEmpty)
        #expect(stage.channels.factory.assemblies.count == 1)
        #expect(stage.events.map(\.kind) == [.configuration])
        #expect(
            stage.events.last?.message == "The configuration was read again by SIGHUP: no channel has changed."
        )
    }

    /// A file system may hang where no flag of `open` helps.
    @Test func reloadThatNeverEndsKeepsNobodyFromEnding() async {
        let (never, end) = AsyncStream<Never>.makeStream()
        let task = Task { await ReloadService.unlessCancelled { for await _ in never {} } }
        task.cancel()
        await task.value
        end.finish()
    }

    @Test func oneInputThatChangesReplacesItsChannelAlone() async throws {
        let stage = try await ReloadStage()
        let text = ReloadStage.file(
            "- {name: a, input: \(Repository.smallFeed), loop: true}",
            "- {name: b, input: \(Repository.feed), loop: true}"
        )
        let report = try await stage.reload(text)
        #expect(report.changed == ["b"] && report.unchanged == ["a"])
        #expect(stage.channels.factory.assemblies.map(\.names) == [["a", "b"], ["b"]])
        #expect(stage.channels.factory.runner("a")?.ends == nil)
        #expect(stage.channels.factory.runners("b").map(\.ends) == [false, nil])
        #expect(stage.running.value.channels[1].inputs.map(\.location) == [Repository.feed])
        let message = try #require(stage.events.last?.message)
        #expect(message.hasPrefix("The configuration was read again by SIGHUP: changed b ("))
        #expect(message.contains(Repository.feed), "the values that differ are told")
    }

    /// Those that were there before are in the log since then, and a setting may move to another line.
    @Test func warningsThatAReloadBringsAreLogged() async throws {
        func text(_ other: String, head: String = "") -> String {
            ReloadStage.file(
                "- {name: a, input: \(Repository.smallFeed), loop: true, timecode-offset: 1}",
                "- {name: b, input: \(Repository.smallFeed), loop: true\(other)}",
                head: head
            )
        }
        let stage = try await ReloadStage(text(""))
        func warnings() -> [String] { stage.log.all.filter { $0.hasPrefix("warning configuration warning ") } }
        try await stage.reload(text(", timecode-offset: 1"), isRehearsal: true)
        #expect(warnings().isEmpty)
        for head in ["", "# Another line.\n# And another one."] {
            let report = try await stage.reload(text(", timecode-offset: 1", head: head))
            #expect(report.warnings.count { $0.contains("timecode-offset") } == 2)
            #expect(warnings().count == 1 && warnings()[0].contains("channels[1].timecode-offset"), "\(warnings())")
        }
    }

    @Test func settingThatNeedsARestartIsRefused() async throws {
        let stage = try await ReloadStage()
        let before = stage.running.value
        await #expect(throws: ReloadRefusal(["listen: only a restart can change this"])) {
            try await stage.reload("listen: 127.0.0.1:9000\n" + ReloadStage.two)
        }
        #expect(stage.running.value == before)
        #expect(stage.events.map(\.kind) == [.configurationRefused])
        #expect(
            stage.events.last?.message
                == "The configuration was to be read again by SIGHUP, and nothing has changed: "
                + "listen: only a restart can change this."
        )
    }

    /// Each is refused with its problem, and nothing has changed.
    @Test(arguments: [
        (nil as String?, "packager.yaml: it is not there"),
        ("window: [", "packager.yaml"),
        (ReloadStage.two + "windw: 60\n", "windw"),
        (ReloadStage.two.replacing("name: b", with: "name: a"), "a"),
    ])
    func configurationThatCannotBeUsedIsRefused(text: String?, words: String) async throws {
        let stage = try await ReloadStage()
        let before = stage.running.texts
        await #expect {
            try await stage.reload(text)
        } throws: { error in
            (error as? ReloadRefusal)?.problems.contains { $0.contains(words) } == true
        }
        #expect(stage.running.texts == before)
        #expect(stage.channels.factory.assemblies.count == 1)
        #expect(stage.events.map(\.kind) == [.configurationRefused])
    }

    @Test func secretOfAWebhookThatIsMissingIsRefusedWithItsPlace() async throws {
        let stage = try await ReloadStage()
        let webhook = "webhooks: [{url: \"https://a.example/b\", secret-variable: NONE}]"
        let text = ReloadStage.file("- {name: c, input: \(Repository.smallFeed), loop: true}", head: webhook)
        await #expect {
            try await stage.reload(text)
        } throws: { error in
            let problems = (error as? ReloadRefusal)?.problems ?? []
            return problems.count == 1 && problems[0].hasPrefix("packager.yaml:")
                && problems[0].hasSuffix("secret-variable: the environment has no NONE")
        }
        #expect(stage.channels.names == ["a", "b"])
    }

    @Test func channelThatDoesNotStartIsRefusedAndTheOthersStay() async throws {
        let stage = try await ReloadStage()
        stage.channels.factory.fail("c")
        let before = stage.running.value
        await #expect(throws: ReloadRefusal(["channel c: it does not start"])) {
            try await stage.reload(ReloadStage.two + "  - {name: c, input: \(Repository.smallFeed), loop: true}\n")
        }
        #expect(stage.running.value == before && stage.channels.names == ["a", "b"])
    }

    @Test func rehearsalSaysWhatWouldChangeAndChangesNothing() async throws {
        let stage = try await ReloadStage()
        let text = ReloadStage.file("- {name: c, input: \(Repository.smallFeed), loop: true}")
        let report = try await stage.reload(text, isRehearsal: true)
        #expect(report.added == ["c"] && report.removed == ["a", "b"])
        #expect(stage.channels.names == ["a", "b"])
        #expect(stage.events.isEmpty, "nothing has happened")
        await #expect(throws: ReloadRefusal.self) { try await stage.reload("listen: nowhere", isRehearsal: true) }
        #expect(stage.events.isEmpty)
    }

    /// Those in memory are gone with the process.
    @Test func eventsAreKeptFromAReloadOnThatAddsAState() async throws {
        let (stage, directory) = (try await ReloadStage(), try TemporaryDirectory())
        let store = stage.records.store
        let text = ReloadStage.file(
            "- {name: a, input: \(Repository.smallFeed), loop: true, state: \(directory.file("state"))}"
        )
        _ = try await stage.reload(text, isRehearsal: true)
        #expect(!store.hasPlace)
        try await stage.reload(text)
        #expect(await store.write(from: stage.records.log))
        #expect(await store.entries(EventSearch(limit: 9))?.map(\.event) == stage.events)
        #expect(!stage.events.isEmpty && store.health.problem == nil)
    }

    @Test func eventsComeAlongToAnotherState() async throws {
        let directory = try TemporaryDirectory()
        func text(_ name: String) -> String {
            ReloadStage.file("- {name: a, input: \(Repository.smallFeed), loop: true, state: \(directory.file(name))}")
        }
        let stage = try await ReloadStage(text("one"))
        let (store, log) = (stage.records.store, stage.records.log)
        try await stage.reload(text("one") + "# A comment.\n")
        #expect(await store.write(from: log))
        try await stage.reload(text("two"))
        #expect(await store.write(from: log))
        #expect(stage.records.directory == directory.file("two"))
        #expect(await store.entries(EventSearch(limit: 9))?.first?.event == stage.events.first)
        #expect(stage.events.count { $0.kind == .events && $0.message.contains(directory.file("one")) } == 1)
    }

    /// The client that asks is recorded.
    @Test func requesterIsNamed() async throws {
        let stage = try await ReloadStage()
        let requester = Requester(name: "ana", address: "192.0.2.1", role: .operator)
        _ = try await stage.reloader.reload(isRehearsal: false, for: requester)
        #expect(
            stage.events.last?.message
                == "The configuration was read again by ana at 192.0.2.1: no channel has changed."
        )
    }

    /// The second begins when the first is done, with the file as it is by then.
    @Test func twoAtOnceComeOneAfterTheOther() async throws {
        let stage = try await ReloadStage()
        let first = ReloadStage.file("- {name: c, input: \(Repository.smallFeed), loop: true}")
        let second = ReloadStage.file("- {name: d, input: \(Repository.smallFeed), loop: true}")
        stage.files.gate.close()
        let reads = stage.files.reads
        stage.files.write(first)
        async let one = stage.reloader.reload(isRehearsal: false, for: nil)
        while stage.files.gate.waiting == 0 { await Task.yield() }
        async let other = stage.reloader.reload(isRehearsal: false, for: nil)
        #expect(stage.files.reads == reads, "nothing is read while the file system hangs")
        stage.files.gate.open()
        #expect(try await one.added == ["c"])
        #expect(try await other.added.isEmpty)
        #expect(try await stage.reload(second).added == ["d"])
        #expect(stage.files.reads == reads + 3)
        #expect(stage.channels.names == ["d"])
    }

    @Test func reloadWaitsForWhatMustNotSeeAChange() async throws {
        let stage = try await ReloadStage()
        let (begun, mayEnd) = (Occurrence(), Occurrence())
        let work = Task {
            await stage.reloader.whileNothingChanges {
                begun.happen()
                await mayEnd.wait()
                #expect(stage.channels.names == ["a", "b"])
            }
        }
        await begun.wait()
        stage.files.write(ReloadStage.file("- {name: c, input: \(Repository.smallFeed), loop: true}"))
        let reads = stage.files.reads
        let reload = Task { try await stage.reloader.reload(isRehearsal: false, for: nil) }
        for _ in 0..<100 { await Task.yield() }
        #expect(stage.files.reads == reads)
        mayEnd.happen()
        await work.value
        #expect(try await reload.value.added == ["c"])
    }

    @Test func workWaitsForAReloadAndIsNotDoneOnceCancelled() async throws {
        let stage = try await ReloadStage()
        stage.files.gate.close()
        let reload = Task { try await stage.reloader.reload(isRehearsal: false, for: nil) }
        while stage.files.gate.waiting == 0 { await Task.yield() }
        let done = Occurrence()
        let work = Task { await stage.reloader.whileNothingChanges { done.happen() } }
        work.cancel()
        await work.value
        #expect(!done.hasHappened, "a process that is told to end does not wait for a file system")
        stage.files.gate.open()
        _ = try await reload.value
        await stage.reloader.whileNothingChanges { done.happen() }
        #expect(done.hasHappened)
    }
}
