import Channels
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// The news that the service manager gets of the process, and when.
@Suite(.timeLimit(.minutes(5))) struct SupervisionServiceTests {
    /// The messages that were heard in the pauses, oldest first.
    private final class Record: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// Runs the service until its last pause.
    ///
    /// - Parameters:
    ///   - stage: The channels of the process.
    ///   - watchdog: Variables of the environment that say what the manager expects.
    ///   - isHandedOver: True once another process is the service.
    ///   - actions: The actions in its pauses, after each of which it looks at the channels.
    /// - Returns: The messages that the manager got before each pause, and those after the last; and the lengths of
    ///   the pauses.
    /// - Throws: If nothing can be heard.
    private static func run(
        _ stage: Stage,
        watchdog: [String: String] = [:],
        isHandedOver: @escaping @Sendable () -> Bool = { false },
        _ actions: ScriptedPauses.Action...
    ) async throws -> (heard: [String], pauses: [Duration]) {
        let directory = try TemporaryDirectory()
        let socket = try NotifySocket(directory.file("notify"))
        let environment = watchdog.merging(["NOTIFY_SOCKET": socket.path]) { $1 }
        let record = Record()
        let recording = actions.map { action -> ScriptedPauses.Action in
            return {
                record.add(socket.heard())
                try action()
            }
        }
        let pauses = ScriptedPauses(recording)
        let service = SupervisionService(
            manager: try #require(ServiceManager(environment: environment)),
            channels: stage.host.registry,
            origin: OriginServer(
                configuration: OriginConfiguration(port: 0),
                channels: stage.host.registry,
                now: { StoppedClock().now },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ),
            isHandedOver: isHandedOver,
            sleep: pauses.sleep
        )
        await service.run()
        record.add(socket.heard())
        return (record.all, pauses.durations)
    }

    private static func presentation(_ name: String, _ stage: Stage) throws -> Presentation {
        let channel: HostedChannel? = stage.host.registry[name[...]]
        return try #require(channel).service.channel.presentation
    }

    /// Publishes the first slot of a channel.
    private static func publish(in presentation: Presentation) throws {
        let time = StoppedClock().now
        presentation.declare(renditions: [
            RenditionDescription(id: "video-180p", kind: .video, codecs: ["avc1.640028"])
        ])
        let segment = PublishedSegment(
            programDateTime: time,
            duration: SegmentDuration(MediaTime(seconds: 1)),
            content: .media(ByteBuffer(string: "media")),
            initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init"))
        )
        try presentation.publish(
            PublishedSlot(number: MediaSequenceNumber(1_800_000_000), segments: ["video-180p": segment]),
            now: time + MediaTime(seconds: 1)
        )
    }

    // MARK: News

    @Test func statusIsToldAtOnceAndWhenItChanges() async throws {
        let stage = Stage()
        try await stage.add("a", "b")
        let a = try Self.presentation("a", stage)
        let result = try await Self.run(
            stage,
            {},
            { try Self.publish(in: a) },
            { a.end(now: StoppedClock().now) },
            {}
        )
        // The service ends after its last look, and says so.
        #expect(
            result.heard == [
                "STATUS=Waiting for a feed: a, b.\nWATCHDOG=1\n",
                "WATCHDOG=1\n",
                "STATUS=Without media: a. Waiting for a feed: b. 0 viewers.\nWATCHDOG=1\n",
                "STATUS=On air: a. Waiting for a feed: b. 0 viewers.\nWATCHDOG=1\n",
                "WATCHDOG=1\nSTOPPING=1\n",
            ]
        )
    }

    @Test func channelsThatComeAndGoAreInTheStatus() async throws {
        let stage = Stage()
        try await stage.add("a")
        let result = try await Self.run(stage, { _ = stage.host.registry.remove("a") })
        #expect(result.heard.first?.contains("STATUS=Waiting for a feed: a.\n") == true)
        #expect(result.heard.last == "STATUS=\nWATCHDOG=1\nSTOPPING=1\n")
    }

    // MARK: Watchdog

    @Test(
        arguments: [(nil, .seconds(1)), ("30000000", .seconds(1)), ("2000000", .milliseconds(500))]
            as [(String?, Duration)]
    )
    func managerHearsFourTimesInTheTimeOfItsWatchdog(microseconds: String?, pause: Duration) async throws {
        let watchdog = microseconds.map { ["WATCHDOG_USEC": $0] } ?? [:]
        let result = try await Self.run(Stage(), watchdog: watchdog, {})
        #expect(result.pauses == [pause, pause])
    }

    /// The channel of the test beats never, and half of the time of this watchdog is over already.
    @Test func watchdogHearsNothingWhileAChannelStandsStill() async throws {
        let stage = Stage()
        try await stage.add("a")
        let result = try await Self.run(stage, watchdog: ["WATCHDOG_USEC": "1"], {})
        #expect(result.heard == ["STATUS=Waiting for a feed: a. Something stands still.\n", "STOPPING=1\n"])
    }

    // MARK: Upgrade

    @Test func processThatHasHandedOverSaysNoMore() async throws {
        let stage = Stage()
        try await stage.add("a")
        let handedOver = Occurrence()
        let result = try await Self.run(
            stage,
            isHandedOver: { handedOver.hasHappened },
            { handedOver.happen() },
            {}
        )
        #expect(result.heard == ["STATUS=Waiting for a feed: a.\nWATCHDOG=1\n", ""])
        #expect(result.pauses.count == 1)
    }
}
