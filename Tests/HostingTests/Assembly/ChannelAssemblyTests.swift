import Archive
import Channels
import ContentProtection
import Foundation
import Ingest
import KeyServing
import Logging
import MediaCore
import NIOCore
import NIOPosix
import Operations
import Origin
import PackagerConfig
import Packaging
import Presentation
import Segmenting
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// The parts of a channel, by its settings.
@Suite(.timeLimit(.minutes(5))) struct ChannelAssemblyTests {
    private let assembly = ChannelAssembly(
        clock: StoppedClock(),
        events: EventLog(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )

    private func components(_ flags: [String: [String]] = [:]) async throws -> ChannelComponents {
        let settings = try Stage.channel("a", flags)
        return try assembly.components(of: settings, await ChannelResources(for: settings, assembly)).0
    }

    // MARK: Keys

    @Test func channelInTheClearHasNoKeys() async throws {
        let channel = try await components()
        #expect(channel.resources.keySource == nil && channel.keyDirectory == nil)
        #expect(channel.encryption.keySource == nil)
        #expect(assembly.origin(of: channel).keys == nil)
        #expect(channel.resources.streamIdentity["key-rotation"] == nil, "it says nothing without keys")
    }

    @Test(arguments: [("aes-128", false), ("aes-256-gcm", false), ("sample-aes", true), ("sample-aes-ctr", false)])
    func encryptedChannelGivesKeys(encryption: String, isCBCS: Bool) async throws {
        let channel = try await components(["encryption": [encryption], "key-rotation": ["30"]])
        #expect(channel.encryption.keySource != nil)
        let keys = try #require(assembly.origin(of: channel).keys)
        #expect(keys.isCBCS == isCBCS)
        #expect(channel.resources.streamIdentity["key-rotation"] != nil)
    }

    /// A channel that comes again has the keys that it had, and another process has others.
    @Test func secretThatIsMadeUpLastsAsLongAsTheProcess() async throws {
        let flags = ["encryption": ["aes-128"]]
        let identities = [
            try await components(flags).resources.streamIdentity, try await components(flags).resources.streamIdentity,
        ]
        #expect(identities[0] == identities[1])
        #expect(try await ChannelAssemblyTests().components(flags).resources.streamIdentity != identities[0])
    }

    @Test func secretIsMadeInTheStateDirectoryButNotByALook() async throws {
        let directory = try TemporaryDirectory()
        let state = directory.file("state")
        let settings = try Stage.channel("a", ["encryption": ["aes-128"], "state": [state]])
        #expect(await assembly.problems(of: [settings]).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: state))
        let first = try await ChannelResources(for: settings, assembly).streamIdentity
        #expect(FileManager.default.fileExists(atPath: state))
        let second = try await ChannelResources(for: settings, ChannelAssemblyTests().assembly).streamIdentity
        #expect(first == second, "it is read by the next process")
    }

    /// A channel on air that gets a state directory by a reload keeps its keys, also after a restart.
    @Test func secretThatIsMadeUpGoesIntoAStateDirectoryThatComesLater() async throws {
        let directory = try TemporaryDirectory()
        let flags = ["encryption": ["aes-128"]]
        let before = try await components(flags).resources.streamIdentity
        let settings = try Stage.channel("a", ["encryption": ["aes-128"], "state": [directory.file("state")]])
        #expect(await assembly.problems(of: [settings], after: ["a": before]).isEmpty)
        #expect(try await ChannelResources(for: settings, assembly).streamIdentity == before)
        #expect(try await ChannelResources(for: settings, ChannelAssemblyTests().assembly).streamIdentity == before)
    }

    // MARK: Inputs

    @Test func everyInputHasItsReaderAndItsName() async throws {
        let settings = try Stage.channel("a", ["backup": [Repository.feed]])
        let hosted = try #require(try await assembly.assemble([settings], after: [:]).first)
        let configuration = hosted.service.channel.configuration
        #expect(configuration.inputCount == 1 && configuration.backupCount == 1)
        #expect(hosted.service.readers.map(\.feed.location) == [Repository.smallFeed, Repository.feed])
        #expect(configuration.inputs.map { hosted.service.feeds[$0] } == [Repository.smallFeed, Repository.feed])
        #expect(hosted.operation.feeds == hosted.service.feeds)
    }

    /// A socket can be opened only once.
    @Test func channelsOfOneFeedShareItsReader() async throws {
        let channels = try Configuration.load(
            flags: ["name": ["s"], "input": ["udp://127.0.0.1:5000"], "program": ["10", "20"]]
        ).channels
        let readers = try await assembly.assemble(channels, after: [:]).map { $0.service.readers[0] }
        #expect(readers.count == 2)
        #expect(!readers[0].stop(), "the other one still reads it")
        #expect(readers[1].stop())
    }

    private static let datagrams = "udp://127.0.0.1:5000"

    private static func channel(_ flags: [String: [String]]) throws -> ChannelConfiguration {
        try Configuration.load(flags: ["input": [datagrams]].merging(flags) { $1 }).channels[0]
    }

    @Test func programsOfOneFeedShareItsReaderWhetherTheyHavePartsOrNot() async throws {
        let senders = ["192.0.2.7", "192.0.2.8"]
        let channels = [
            try Self.channel(["name": ["a"], "program": ["10"], "allowed-publishers": senders]),
            try Self.channel(
                ["name": ["b"], "program": ["20"], "part-duration": ["0.5"], "allowed-publishers": senders.reversed()]
            ),
        ]
        let readers = try await assembly.assemble(channels, after: [:]).map { $0.service.readers[0] }
        #expect(!readers[0].stop(), "the other one still reads it")
        #expect(readers[1].stop())
    }

    @Test func connectionThatAnotherProgramIsToComeOverIsOpenedAnew() async throws {
        let feed = ["input": ["srt://127.0.0.1:9000?mode=listener"]]
        let one = try Self.channel(["name": ["a"], "program": ["10"]].merging(feed) { $1 })
        let other = try Self.channel(["name": ["b"], "program": ["20"]].merging(feed) { $1 })
        let elsewhere = try Self.channel(["name": ["c"], "program": ["20"]])
        let readers = try #require(try await assembly.assemble([one], after: [:]).first).service.readers
        #expect(ChannelAssembly.connections(for: one, of: readers, beside: [one, elsewhere]).count == 1)
        #expect(ChannelAssembly.connections(for: one, of: readers, beside: [one, other]).isEmpty)
    }

    /// A datagram may wait, but not where a part waits for it.
    @Test func feedsAreReadPromptlyForParts() throws {
        let segments = try Self.channel([:])
        let parts = try Self.channel(["part-duration": ["0.5"]])
        func isPrompt(_ channels: [ChannelConfiguration]) -> Bool? {
            ChannelAssembly.feeds(of: channels)[Self.datagrams]?.isPrompt
        }
        #expect(isPrompt([segments]) == false)
        #expect(isPrompt([parts]) == true)
        #expect(isPrompt([segments, parts]) == true && isPrompt([parts, segments]) == true)
    }

    @Test func feedsThatAreOpenedBesideTheirReadersKnowWhoMaySend() throws {
        let channel = try Self.channel(["allowed-publishers": ["192.0.2.0/24"]])
        let options = ChannelAssembly.feeds(of: [channel])[Self.datagrams]
        #expect(options?.allowedPublishers.map(\.description) == ["192.0.2.0/24"])
    }

    @Test func channelsOfTheirOwnFeedsShareNothing() async throws {
        let channels = [try Stage.channel("a"), try Stage.channel("b")]
        let readers = try await assembly.assemble(channels, after: [:]).map { $0.service.readers[0] }
        #expect(readers[0].stop() && readers[1].stop())
    }

    @Test func subtitlesBesideTheFeedAreRenditions() async throws {
        let flags = ["subtitles": ["en=/none/en.vtt", "de=/none/de.vtt"], "subtitle-formats": ["webvtt", "imsc1"]]
        let channel = try await components(flags)
        let engine = channel.channel.configuration
        #expect(engine.subtitles.map(\.language) == ["en", "de"])
        #expect(Set(engine.subtitleFormats) == [.webVTT, .imsc1])
        #expect(assembly.operation(of: channel).subtitleLanguages == ["en", "de"])
        #expect(try await components().channel.configuration.subtitles.isEmpty)
    }

    // MARK: Low latency

    @Test func partsAreDecidedAndListedByTheSameLength() async throws {
        let channel = try await components(["part-duration": ["0.5"], "hold-next": []])
        #expect(channel.channel.configuration.horizon == .part(duration: MediaTime(milliseconds: 500)))
        #expect(channel.presentation.configuration.partTarget == MediaTime(milliseconds: 500))
        #expect(assembly.origin(of: channel).holdsNext)
        #expect(channel.resources.streamIdentity["part-duration"] == "0.5")
        #expect(channel.identity["part-duration"] == "0.5")
    }

    @Test func channelWithoutPartsIsDecidedBySlots() async throws {
        let channel = try await components()
        #expect(channel.channel.configuration.horizon == .slot)
        #expect(channel.presentation.configuration.partTarget == nil)
        #expect(!assembly.origin(of: channel).holdsNext)
        #expect(channel.resources.streamIdentity["part-duration"] == "0.0")
    }

    // MARK: Pair

    @Test func channelWithoutAPeerShowsNobodyItsWindow() async throws {
        let channel = try await components()
        #expect(channel.peer == nil && channel.channel.configuration.scheduleLead == .zero)
        guard case .nobody = assembly.origin(of: channel).peerAccess else {
            Issue.record("it shows its window to somebody")
            return
        }
    }

    @Test func pairInTheClearShowsEverybodyItsWindow() async throws {
        let channel = try await components(["peer": ["http://192.0.2.1:8080"]])
        #expect(channel.peer?.url == "http://192.0.2.1:8080")
        #expect(channel.channel.configuration.scheduleLead == ChannelSchedule.lead)
        guard case .everybody = assembly.origin(of: channel).peerAccess else {
            Issue.record("its peer gets nothing")
            return
        }
    }

    /// They know each other by their secret, with which they derive the same keys.
    @Test func pairThatEncryptsHasASecretInCommon() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("master.key")
        _ = try MasterSecret.loadOrCreate(path: path)
        let flags = ["encryption": ["aes-128"], "key-secret": [path], "peer": ["http://192.0.2.1:8080"]]
        let members = [try await components(flags), try await ChannelAssemblyTests().components(flags)]
        #expect(members[0].identity == members[1].identity)
        #expect(members[0].resources.streamIdentity == members[1].resources.streamIdentity)
        #expect(members[0].identity["initialization vectors"] == "media sequence numbers")
        for member in members {
            guard case .holders = assembly.origin(of: member).peerAccess else {
                Issue.record("somebody without the secret is answered")
                return
            }
        }
    }

    // MARK: Storage

    @Test func channelWritesNothingUnlessItIsTold() async throws {
        let channel = try await components()
        #expect(channel.storage.journal == nil && channel.storage.mirror == nil && channel.storage.keyFiles == nil)
        #expect(channel.schedule.file == nil)
    }

    @Test func directoriesAreWrittenTo() async throws {
        let directory = try TemporaryDirectory()
        let flags = [
            "state": [directory.file("state")], "output": [directory.file("out")],
            "output-keys": [directory.file("keys")], "encryption": ["aes-128"],
        ]
        let channel = try await components(flags)
        #expect(channel.storage.journal != nil && channel.storage.mirror != nil && channel.storage.keyFiles != nil)
        #expect(channel.schedule.file != nil, "what was accepted for later is kept with the window")
        let operation = assembly.operation(of: channel)
        #expect(operation.journal != nil && operation.mirror != nil && operation.keyFiles != nil)
        for name in ["state", "out", "keys"] {
            #expect(FileManager.default.fileExists(atPath: directory.file(name)), "\(name)")
        }
        await channel.channel.close(ends: false)
        channel.storage.journal?.close()
    }

    /// A feed that is read from its beginning at every start has no window to resume.
    @Test func jobHasNoJournalAndEndsByItself() async throws {
        let directory = try TemporaryDirectory()
        for window in [nil, "60"] {
            var flags: [String: [String]] = [
                "name": ["film"], "input": [Repository.smallFeed], "no-realtime": [], "output": [directory.file("out")],
                "state": [directory.file("state")],
            ]
            flags["window"] = window.map { [$0] }
            let settings = try Configuration.load(flags: flags).channels[0]
            let hosted = try #require(try await assembly.assemble([settings], after: [:]).first)
            #expect(hosted.service.isJob && hosted.service.journal == nil && hosted.service.mirror != nil)
            let configuration = hosted.service.channel.presentation.configuration
            #expect(configuration.isOnDemand == (window == nil) && !configuration.keepsMediaInMemory)
        }
    }

    // MARK: Refusals

    @Test func allThatIsMissingIsSaidAtOnce() async throws {
        let flags = [
            "input": ["/none/feed.ts"], "state": ["/proc/none"], "on-loss": ["slate"], "slate": ["/none/slate.ts"],
            "localized-names": ["/none/names.json"], "encryption": ["aes-128"], "key-secret": ["/none/master.key"],
        ]
        let problems = await assembly.problems(of: [try Stage.channel("a", flags)])
        #expect(problems.allSatisfy { $0.channel == "a" })
        #expect(
            Set(problems.compactMap(\.setting)) == ["input", "state", "slate", "localized-names", "key-secret"],
            "\(problems)"
        )
        #expect(problems.count == 5, "each once")
    }

    @Test func channelThatWouldHaveOtherKeysDoesNotTakeAnothersPlace() async throws {
        let settings = try Stage.channel("a", ["encryption": ["aes-128"]])
        let predecessor = ChannelPredecessor(window: nil, streamIdentity: ["format": "fmp4"], schedule: [])
        await #expect {
            _ = try await assembly.assemble([settings], after: ["a": predecessor])
        } throws: {
            "\($0)".hasPrefix("channel a: its keys would differ from those of the listed segments")
        }
    }

    // MARK: A peer that does not answer

    /// Accepts connections, and says nothing on them until it is closed.
    private struct SilentServer {
        let channel: any NIOCore.Channel
        private let accepted: Connections

        private final class Connections: Sendable {
            let all = Mutex<[any NIOCore.Channel]>([])
        }

        init() async throws {
            let accepted = Connections()
            self.accepted = accepted
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    accepted.all.withLock { $0.append(channel) }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
        var openCount: Int { accepted.all.withLock { $0.count(where: \.isActive) } }
        var count: Int { accepted.all.withLock { $0.count } }

        func close() async throws {
            try await channel.close()
            for channel in accepted.all.withLock({ $0 }) { try? await channel.close() }
        }
    }

    /// A pair is for the time in which one of its machines is gone: each channel must not make the start of the other longer.
    @Test func aPeerIsAskedForAllChannelsAtOnce() async throws {
        let server = try await SilentServer()
        let channels = try (0..<6).map { try Stage.channel("c\($0)", ["peer": [server.url]]) }
        let assembled = Task { try await assembly.assemble(channels, after: [:]).map(\.operation.name) }
        _ = try await eventually(within: 60, "all channels ask") { server.openCount >= 6 ? true : nil }
        try await server.close()
        #expect(try await assembled.value == channels.map(\.name))
    }

    /// A channel that goes on has all that the peer could tell it, and must not stand still for the answer.
    @Test func aChannelThatGoesOnDoesNotAskItsPeer() async throws {
        let server = try await SilentServer()
        let settings = try Stage.channel("a", ["peer": [server.url]])
        let identity = try await components(["peer": [server.url]]).resources.streamIdentity
        let pushed = try Self.channel(["input": ["rtmp://127.0.0.1:1935/live/x"]])
        let other = try await assembly.assemble([pushed], after: [:])
        let connection = try #require(other.first?.service.readers[0].connection)
        let former = ChannelPredecessor(window: nil, streamIdentity: identity, schedule: [])
        let feeds: [String: OpenFeed] = [:]
        for (feeds, connections) in [(feeds, [:]), (nil, [connection.location: connection])] {
            var predecessor = former
            (predecessor.feeds, predecessor.connections) = (feeds, connections)
            _ = try await assembly.assemble([settings], after: ["a": predecessor])
            #expect(server.count == 0)
        }
        try await server.close()
    }

    @Test func problemsOfAllChannelsAreSaid() async throws {
        let channels = [
            try Stage.channel("a", ["input": ["/none/a.ts"]]), try Stage.channel("b"),
            try Stage.channel("c", ["input": ["/none/c.ts"]]),
        ]
        await #expect {
            _ = try await assembly.assemble(channels, after: [:])
        } throws: {
            ($0 as? SetupError)?.items.map(\.channel) == ["a", "c"]
        }
    }
}
