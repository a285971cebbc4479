import Control
import Logging
import Operations
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// Channels that the control API changes while they are on air.
@Suite(.timeLimit(.minutes(5))) struct ChannelEditingTests {
    private static let requester = Requester(name: "ana", address: "192.0.2.1", role: .operator)
    private static let channel = "input: \(Repository.smallFeed)\nloop: true\n"

    private static func edit(
        _ name: String,
        _ edit: ChannelEdit,
        on stage: ReloadStage,
        isRehearsal: Bool = false
    ) async throws(EditRefusal) -> EditReport {
        try await stage.reloader.edit(
            name,
            edit,
            where: Precondition(),
            isRehearsal: isRehearsal,
            for: requester
        )
    }

    @Test func newChannelIsServedAndKept() async throws {
        let stage = try await ReloadStage()
        let report = try await Self.edit("c", .put(Self.channel), on: stage)
        #expect(report.isNew && report.changes.added == ["c"])
        #expect(stage.channels.names == ["a", "b", "c"])
        #expect(stage.files.overlays.map { $0.channels.map(\.name) } == [["c"]])
        #expect(stage.reloader.description(of: "c") == report.description)
        #expect(stage.events.last?.message.contains("of channel c was changed by ana at 192.0.2.1: added c") == true)
    }

    @Test func patchChangesOneChannel() async throws {
        let stage = try await ReloadStage()
        let report = try await Self.edit("a", .patch("{\"window\": 90}"), on: stage)
        #expect(!report.isNew && report.changes.changed == ["a"])
        #expect(stage.channels.factory.runners("a").map(\.ends) == [false, nil])
        #expect(stage.channels.factory.runner("b")?.ends == nil)
    }

    @Test func removedChannelStaysRemovedAfterAReload() async throws {
        let stage = try await ReloadStage()
        let report = try await Self.edit("b", .remove, on: stage)
        #expect(report.changes.removed == ["b"] && report.description == nil)
        #expect(stage.channels.names == ["a"])
        #expect(try await stage.reload(ReloadStage.two).unchanged == ["a"])
        #expect(stage.channels.names == ["a"])
    }

    @Test func unknownChannelIsRefused() async throws {
        let stage = try await ReloadStage()
        for edit in [ChannelEdit.remove, .patch("{}")] {
            await #expect(throws: EditRefusal.unknownChannel) { try await Self.edit("c", edit, on: stage) }
        }
        #expect(stage.files.overlays.isEmpty)
    }

    @Test func rehearsalKeepsNothing() async throws {
        let stage = try await ReloadStage()
        let report = try await Self.edit("c", .put(Self.channel), on: stage, isRehearsal: true)
        #expect(report.changes.added == ["c"])
        #expect(stage.channels.names == ["a", "b"] && stage.files.overlays.isEmpty && stage.events.isEmpty)
    }

    /// A change that would be gone after a restart is not made.
    @Test func changeThatCannotBeKeptIsNotMade() async throws {
        let stage = try await ReloadStage()
        stage.files.fill()
        await #expect {
            try await Self.edit("c", .put(Self.channel), on: stage)
        } throws: { error in
            guard case .cannotBeKept(let problems) = error as? EditRefusal else { return false }
            return problems.first?.contains("No space left on device") == true
        }
        #expect(stage.channels.names == ["a", "b"] && stage.channels.factory.assemblies.count == 1)
        #expect(stage.events.map(\.kind) == [.configurationRefused])
    }

    @Test func changeThatCannotBeMadeIsNotKept() async throws {
        let stage = try await ReloadStage()
        stage.channels.factory.fail("c")
        await #expect(throws: EditRefusal.refused(["channel c: it does not start"])) {
            try await Self.edit("c", .put(Self.channel), on: stage)
        }
        #expect(stage.files.overlays.map { $0.channels.map(\.name) } == [["c"], []], "what was kept before is again")
        #expect(stage.reloader.description(of: "c") == nil)
    }

    /// The file on disk says which files may be named, not a request.
    @Test func fileThatIsNotAllowedIsForbidden() async throws {
        let stage = try await ReloadStage()
        await #expect {
            try await Self.edit("c", .put("input: \(Repository.feed)\nloop: true\n"), on: stage)
        } throws: { error in
            guard case .forbidden = error as? EditRefusal else { return false }
            return true
        }
        #expect(stage.files.overlays.isEmpty && stage.channels.names == ["a", "b"])
    }

    @Test func processWithoutAFileKeepsNothing() async throws {
        let stage = try await ReloadStage()
        let source = ConfigurationSource(path: nil)
        let reloader = ConfigurationReloader(
            stage.running,
            source,
            stage.channels.host,
            stage.records,
            clock: StoppedClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        await #expect {
            try await reloader.edit(
                "c",
                .put(Self.channel),
                where: Precondition(),
                isRehearsal: false,
                for: Self.requester
            )
        } throws: { error in
            guard case .cannotBeKept(let problems) = error as? EditRefusal else { return false }
            return problems.first?.contains("start with --config or --channels") == true
        }
    }
}
