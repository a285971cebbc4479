import Archive
import ContentProtection
import Control
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import Playlists
import Presentation
import Recording
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// A recording that takes what it lacks from that of the other member of a pair.
@Suite(.timeLimit(.minutes(2))) struct RecordingHealingTests {
    private let stage: HealingStage

    init() throws { stage = try HealingStage() }

    private static let missing = HealingStage.away.count + HealingStage.silent.count

    private func expectEqualPlaylists(_ location: SourceLocation = #_sourceLocation) throws {
        for id in [HealingStage.video, HealingStage.audio] {
            let (whole, holed) = try (
                HealingStage.playlist(id, of: stage.whole), HealingStage.playlist(id, of: stage.holed)
            )
            #expect(holed == whole, sourceLocation: location)
            #expect(!holed.contains("EXT-X-GAP"), sourceLocation: location)
        }
    }

    // MARK: Over loopback

    /// One channel, as the origin serves it.
    private struct OneChannel: OriginChannels {
        let channel: OriginChannel

        var names: [String] { [channel.name] }
        subscript(name: Substring) -> OriginChannel? { name == channel.name ? channel : nil }
    }

    private static var logger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Serves a channel for the time of `body`, which gets the URL.
    private static func serving(
        _ channel: OriginChannel,
        _ body: (String) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: OneChannel(channel: channel),
            now: { StoppedClock().now },
            logger: logger,
            onRunning: { continuation.yield($0) }
        )
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            if let port = await ports.first(where: { _ in true }) {
                try await body("http://127.0.0.1:\(port)")
            } else {
                Issue.record("it does not listen")
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Members that encrypt take media at a place of their own, and others where viewers have it.
    @Test(arguments: [true, false]) func aRecordingIsHealedOverHTTP(hasSecret: Bool) async throws {
        let secret = try #require(MasterSecret([UInt8](repeating: 1, count: 32)))
        let token = try KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil).peerToken()
        var channel = OriginChannel(
            name: "live",
            presentation: stage.presentation,
            peerAccess: hasSecret ? .holders(of: token, refusal: ByteBuffer()) : .everybody
        )
        channel.past = OriginPast(recording: stage.whole)
        try await Self.serving(channel) { [stage] url in
            let watch = PeerWatch(
                url: url,
                credentials: PeerToken.credentials(hasSecret ? token : nil),
                channel: "live",
                events: EventLog(),
                clock: StoppedClock(),
                logger: Self.logger
            )
            let (status, events) = try await stage.heal { status, events in
                status.filled == Self.missing && !events.isEmpty
            } _: { healing in
                await PeerRecordingReader.withReader(
                    of: watch,
                    hasSecret: hasSecret,
                    longestAnswer: RecordedSlots.longest,
                    longestFile: 1 << 20
                ) { reader in
                    await healing.run(with: reader)
                }
            }
            #expect(status == HealingStatus(filled: Self.missing))
            #expect(events.allSatisfy { if case .filled = $0 { true } else { false } }, "\(events)")
        }
        try expectEqualPlaylists()
        #expect(try stage.holed.holes(in: HealingStage.numbers).isEmpty)
        // The initialization section that only missing slots needed is there as well.
        let section = try stage.holed.body("video-1080p/init-2.mp4")?.read()
        #expect(section.map { String(buffer: $0) } == "video-1080p init-2.mp4")
    }

    @Test func whatWasFilledInOutlivesTheProcess() async throws {
        _ = try await stage.heal(from: ScriptedPeer(recording: stage.whole)) { status, _ in
            status.filled == Self.missing
        }
        stage.holed.close()
        let again = try Recording.open(
            stage.directory.file("holed"),
            identity: ["name": "live"],
            segmentDuration: MediaTime(seconds: 4),
            onEvent: { Issue.record("\($0)") }
        )
        #expect(try again.holes(in: HealingStage.numbers).isEmpty)
        #expect(
            try HealingStage.playlist(HealingStage.video, of: again)
                == HealingStage.playlist(HealingStage.video, of: stage.whole)
        )
    }

    /// Another process may have the recording by then.
    @Test func afterACloseNothingIsAskedOrRead() async throws {
        let healing = RecordingHealing(
            stage.holed,
            StoppedClock(),
            patience: MediaTime(seconds: 10),
            budget: HealingBudget(),
            note: { Issue.record("\($0)") }
        )
        await healing.close()
        await healing.run(with: ScriptedPeer(recording: stage.whole))
        #expect(healing.status == HealingStatus())
    }

    // MARK: Peers that are wrong

    private static let path = "video-1080p/\(HealingStage.number(100)).m4s"

    @Test(arguments: [
        PeerRecordingAnswer.body(ByteBuffer(string: "other bytes")), .body(ByteBuffer()),
        .body(ByteBuffer(string: "video-1080p 101")), .body(ByteBuffer(repeating: 0, count: 1 << 20)),
        .nothing("the answer is longer than 67108864 bytes"),
    ])
    func aSegmentWithOtherBytesIsRefused(answer: PeerRecordingAnswer) async throws {
        let peer = ScriptedPeer(recording: stage.whole, changeMedia: { $0 == Self.path ? answer : $1 })
        let (status, events) = try await stage.heal(from: peer) { status, events in
            status.filled == Self.missing
                && events.contains { if case .unfilled = $0 { true } else { false } }
        }
        #expect(status == HealingStatus(filled: Self.missing, missing: 1, refused: 1))
        let reasons = events.compactMap { event -> String? in
            if case .unfilled(let span, let reason) = event, span.numbers.lowerBound == HealingStage.number(100) {
                reason
            } else {
                nil
            }
        }
        #expect(reasons.count == 1 && reasons.allSatisfy { $0.contains(Self.path) }, "\(events)")
        let hole = RecordedHole(number: HealingStage.number(100), renditions: [HealingStage.video])
        #expect(try stage.holed.holes(in: HealingStage.numbers) == [hole])
    }

    /// Without its initialization section a segment is of no use.
    @Test func anInitializationSectionWithOtherBytesIsRefused() async throws {
        let peer = ScriptedPeer(
            recording: stage.whole,
            changeMedia: { path, answer in
                path == "video-1080p/init-2.mp4" ? .body(ByteBuffer(string: "other")) : answer
            }
        )
        let concerned = 50
        let (status, _) = try await stage.heal(from: peer) { status, _ in
            status.filled == Self.missing && status.refused == concerned
        }
        #expect(status.missing == concerned)
        let holes = try stage.holed.holes(in: HealingStage.numbers)
        #expect(holes.map(\.number) == Array(HealingStage.number(100)..<HealingStage.number(150)))
        #expect(holes.allSatisfy { $0.renditions == [HealingStage.video] })
    }

    private static func changed(
        _ answer: PeerRecordingAnswer,
        _ change: (inout RecordedSlots) -> Void
    ) -> PeerRecordingAnswer {
        guard case .body(let json) = answer, var told = try? RecordedSlots(json: json) else { return answer }
        change(&told)
        return (try? told.json()).map { PeerRecordingAnswer.body($0) } ?? answer
    }

    /// Answers in place of the right one.
    private static let answers: [@Sendable (PeerRecordingAnswer) -> PeerRecordingAnswer] = [
        { _ in .body(ByteBuffer(string: "nonsense")) },
        { _ in .body(ByteBuffer()) },
        { _ in .body(ByteBuffer(string: String(repeating: "[", count: 1 << 20))) },
        { _ in .nothing("it answers with status 404") },
        { _ in .nothing("the answer is longer than 33554432 bytes") },
        { _ in .silence("no connection") },
        { _ in .silence("it has another key-secret, or none") },
        { Self.changed($0) { $0.segmentDuration = MediaTime(seconds: 6) } },
        { Self.changed($0) { $0.numbers = $0.numbers.lowerBound..<$0.numbers.upperBound.next } },
        { Self.changed($0) { $0.extent = HealingStage.number(0)..<HealingStage.number(100) } },
    ]

    @Test(arguments: answers.indices) func anAnswerThatIsNoneChangesNothing(index: Int) async throws {
        let before = try stage.holed.holes(in: HealingStage.numbers)
        let peer = ScriptedPeer(recording: stage.whole, changeSlots: Self.answers[index])
        let (status, events) = try await stage.heal(from: peer) { status, _ in status.problem != nil }
        #expect(status.filled == 0 && status.missing > 0)
        #expect(events.count { if case .interrupted = $0 { true } else { false } } <= 1)
        #expect(try stage.holed.holes(in: HealingStage.numbers) == before)
        // Once it answers as it should, nothing is left of that.
        _ = try await stage.heal(from: ScriptedPeer(recording: stage.whole)) { status, _ in
            status.filled == Self.missing
        }
        try expectEqualPlaylists()
    }

    /// Lines that name what is not theirs.
    @Test func aLineThatNamesAForeignPathIsRefused() async throws {
        let peer = ScriptedPeer(
            recording: stage.whole,
            changeSlots: { answer in
                Self.changed(answer) { told in
                    for index in told.slots.indices where told.slots[index].number == HealingStage.number(120) {
                        let number = HealingStage.number(121)
                        told.slots[index].segments[HealingStage.video]?.line.uri = "video-1080p/\(number).m4s"
                    }
                }
            }
        )
        let (status, _) = try await stage.heal(from: peer) { status, _ in
            status.filled == Self.missing - 1 && status.missing == 1
        }
        #expect(status.refused > 0)
        #expect(try stage.holed.holes(in: HealingStage.numbers).map(\.number) == [HealingStage.number(120)])
    }

    /// Without a secret it is known by the address at which it is reached, so that strangers do not take its places.
    @Test func aPeerIsKnownByItsAddress() async throws {
        let served = OriginChannel(name: "live", presentation: stage.presentation, peerAccess: .everybody)
        try await Self.serving(served) { url in
            let stage = try RecordedStage()
            let settings = try Stage.channel("a", ["window": ["20"], "record": [stage.record], "peer": [url]])
            let resources = try await ChannelResources(for: settings, stage.assembly)
            let channel = try stage.assembly.components(of: settings, resources).0
            let origin = stage.assembly.origin(of: channel)
            #expect(!origin.isPeer("127.0.0.1"))
            // It need not know the channel.
            _ = await channel.peer?.schedule()
            #expect(origin.isPeer("127.0.0.1") && origin.isPeer("::ffff:127.0.0.1"))
            #expect(!origin.isPeer("192.0.2.7") && !origin.isPeer(""))
            channel.storage.recorder?.recording.close()
        }
    }
}

/// Healing in a channel, and its news.
@Suite(.timeLimit(.minutes(2))) struct RecordingHealingWiringTests {
    @Test(arguments: [true, false], [true, false])
    func healingNeedsARecordingAndAPeer(isRecorded: Bool, hasPeer: Bool) async throws {
        let stage = try RecordedStage()
        var flags: [String: [String]] = ["window": ["20"]]
        if isRecorded { flags["record"] = [stage.record] }
        if hasPeer { flags["peer"] = ["http://127.0.0.1:9"] }
        let settings = try Stage.channel("a", flags)
        let resources = try await ChannelResources(for: settings, stage.assembly)
        let channel = try stage.assembly.components(of: settings, resources).0
        #expect((channel.healing != nil) == (isRecorded && hasPeer))
        let status = stage.assembly.operation(of: channel).status(at: stage.clock.now)
        #expect((status.recording != nil) == isRecorded)
        channel.storage.recorder?.recording.close()
    }

    @Test func eventsSayWhatItMeansToViewers() throws {
        let (lines, events) = (LogLines(), EventLog())
        let watch = DiskWatch(channel: "a", events: events, clock: { StoppedClock().now }, logger: lines.logger)
        watch.note(.interrupted(missing: 7, reason: "no connection"), from: "http://192.0.2.7:8080")
        watch.note(.resumed, from: "http://192.0.2.7:8080")
        #expect(
            lines.all.first?.contains(
                "viewers=until then, viewers who start in that part of the recording get gaps from this packager"
            ) == true
        )
        #expect(lines.all.allSatisfy { $0.contains("http://192.0.2.7:8080") })
        let all = events.entries().map(\.event)
        #expect(all.map(\.kind) == [.recording, .recording] && all.map(\.severity).first == .warning)
    }
}
