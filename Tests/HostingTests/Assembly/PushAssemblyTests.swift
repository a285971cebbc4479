import Archive
import Channels
import Control
import Foundation
import Logging
import MediaCore
import ObjectStores
import Operations
import PackagerConfig
import Recording
import TestSupport
import Testing

@testable import Hosting

/// Destinations of a channel, by its settings.
@Suite(.timeLimit(.minutes(5))) struct PushAssemblyTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func assembly(_ environment: [String: String] = [:]) -> ChannelAssembly {
        var assembly = ChannelAssembly(
            clock: StoppedClock(),
            events: EventLog(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        assembly.environment = environment
        return assembly
    }

    private func targets(_ push: [String], _ environment: [String: String] = [:]) throws -> [PushTarget] {
        try assembly(environment).pushTargets(for: try Stage.channel("a", ["push": push]))
    }

    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = try directory.write(text, to: "credentials")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func destinationsAreNamedWithoutSecrets() throws {
        let path = try file("aws_access_key_id = A\naws_secret_access_key = hunter2\n")
        let fields = try directory.write("Authorization: Bearer swordfish\n", to: "fields")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fields)
        let push = ["s3://media/live?credentials=\(path)", "https://cdn.example.com/live?credentials=\(fields)"]
        let targets = try targets(push)
        #expect(targets.map(\.destination.name) == ["s3://media/live", "https://cdn.example.com/live"])
        var dumped = ""
        dump(targets, to: &dumped)
        #expect(!dumped.contains("hunter2") && !dumped.contains("swordfish"))
    }

    @Test func allThatIsWrongIsSaidAtOnce() throws {
        let path = try file("aws_access_key_id = A\naws_secret_access_key = hunter2\n", mode: 0o644)
        let push = ["s3://media/a?credentials=\(path)", "s3://media/b", "https://h/c?credentials=/nowhere/cdn.fields"]
        let error = #expect(throws: SetupError.self) { try targets(push, ["AWS_ACCESS_KEY_ID": "A"]) }
        let problems = try #require(error).problems
        #expect(problems.count == 3 && problems.allSatisfy { $0.hasPrefix("push of channel a: ") }, "\(problems)")
        #expect(problems[0].contains("chmod 600") && problems[1].contains("AWS_SECRET_ACCESS_KEY"), "\(problems)")
    }

    /// Each store has a backlog of its own: the other one may have what this one lacks.
    @Test func bucketsOfOneNameAtTwoStoresHaveTwoBacklogs() async throws {
        let path = try file("aws_access_key_id = A\naws_secret_access_key = hunter2\n")
        let push = ["http://127.0.0.1:1", "http://127.0.0.1:2"].map {
            "s3://media/live?credentials=\(path)&expired=keep&endpoint=\($0)"
        }
        let settings = try Stage.channel("a", ["push": push, "state": [directory.file("state")]])
        let assembly = assembly()
        let channel = try assembly.components(of: settings, await ChannelResources(for: settings, assembly)).0
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.file("state/a"))
        #expect(folders.count { $0.hasPrefix("push-") } == 2)
        // Metrics and the log tell them apart.
        let names = ["s3://media/live at 127.0.0.1:1", "s3://media/live at 127.0.0.1:2"]
        #expect(channel.storage.pushes.map(\.status.name) == names)
        #expect(channel.storage.pushes.map(\.destination) == names)
        await channel.channel.close(ends: false)
        channel.storage.journal?.close()
        for push in channel.storage.pushes { push.close() }
    }

    @Test func aChannelSendsToEach() async throws {
        let settings = try Stage.channel(
            "a",
            [
                "push": ["http://127.0.0.1:1/a?expired=keep", "http://127.0.0.1:1/b"],
                "state": [directory.file("state")],
            ]
        )
        let assembly = assembly()
        let channel = try assembly.components(of: settings, await ChannelResources(for: settings, assembly)).0
        #expect(channel.storage.pushes.map(\.status.name) == ["http://127.0.0.1:1/a", "http://127.0.0.1:1/b"])
        #expect(assembly.operation(of: channel).status(at: .zero).push?.count == 2)
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.file("state/a"))
        #expect(folders.count { $0.hasPrefix("push-") } == 1)
        await channel.channel.close(ends: false)
        channel.storage.journal?.close()
        for push in channel.storage.pushes { push.close() }
    }

    @Test func recordingsAreSentWhereTheDestinationSaysSo() async throws {
        let settings = try Stage.channel(
            "a",
            [
                "push": ["http://127.0.0.1:1/a?recordings=true", "http://127.0.0.1:1/b"],
                "record": [directory.file("record")],
            ]
        )
        let assembly = assembly()
        let channel = try assembly.components(of: settings, await ChannelResources(for: settings, assembly)).0
        #expect(channel.storage.pushes.map { $0.recordings != nil } == [true, false])
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.file("record/a/recordings"))
        #expect(folders.count { $0.hasPrefix(".push-") } == 1)
        let assets = try #require(assembly.operation(of: channel).assets)
        let now = assembly.clock.now
        var request = AssetRequest()
        (request.from, request.to) = (Timestamp(now), Timestamp(now + MediaTime(seconds: 60)))
        let posted = try await assets.add(request, now: now)
        #expect(posted.pushed == [AssetRecord.Destination(url: "http://127.0.0.1:1/a")])
        #expect(assets.record(posted.id) == posted && assets.records == [posted])
        await channel.channel.close(ends: false)
        for push in channel.storage.pushes { push.close() }
        channel.storage.recorder?.recording.close()
    }

    @Test func whatBecomesOfRecordingsIsRecorded() {
        let events = EventLog()
        let watch = PushWatch(
            channel: "a",
            destination: "s3://media/live",
            events: events,
            clock: StoppedClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        watch.note(.recordingSent(id: "7", objects: 12))
        watch.note(.recordingFailed(id: "8", reason: "no room"))
        watch.note(.recordingNotRemoved(id: "9", reason: "status 403"))
        let recorded = events.entries().map(\.event)
        #expect(recorded.allSatisfy { $0.kind == .push && $0.channel == "a" } && recorded.count == 3)
        #expect(recorded[0].message == "recording 7 is at s3://media/live/recordings/7 with all of its 12 objects")
        #expect(recorded[1].message.contains("8 cannot be sent to s3://media/live: no room"))
    }
}
