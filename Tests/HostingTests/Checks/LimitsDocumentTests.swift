import EventDelivery
import Foundation
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

@testable import Control
@testable import HTTPServing
@testable import Hosting
@testable import Origin

/// The pages that tell what strangers may do, against the program.
@Suite struct LimitsDocumentTests {
    private static func page(_ name: String) throws -> [Substring] {
        let url = Repository.root.appending(path: "docs/\(name)")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    private static let origin = OriginConfiguration()
    private static let control = ControlConfiguration()
    private static let channel = Presentation.Configuration(
        name: "live",
        targetDuration: 6,
        segmentDuration: MediaTime(seconds: 4),
        windowDuration: MediaTime(seconds: 60),
        maximumBytes: 1 << 30
    )
    private static let timeouts = (origin.server.timeouts, control.server(requiresAuthentication: true).timeouts)
    private static let fields = NIOHTTPDecoderLimitConfiguration().maxHeaderFieldCount

    private static func row(_ name: String, _ origin: String, _ control: String) -> String {
        "| \(name) | \(origin) | \(origin) | \(control) |"
    }

    private static func row(_ name: String, _ origin: some CustomStringConvertible) -> String {
        row(name, "\(origin)", "\(origin)")
    }

    /// The rows of `docs/limits.md` about HTTP.
    private static var limits: [String] {
        let idle = (seconds(timeouts.0.idle), seconds(timeouts.1.idle))
        let write = (seconds(timeouts.0.write), seconds(timeouts.1.write))
        return [
            row(
                "connections of one address",
                "half of all",
                "\(control.maximumUnauthenticatedPerAddress) without a token"
            ),
            row("time without a request, or for a head", idle.0, idle.1),
            row("time for a body", seconds(timeouts.0.body), seconds(timeouts.1.body)),
            row(
                "time for a client to read an answer, or each \(ConnectionHandler.leastProgress) bytes of a longer one",
                write.0,
                write.1
            ),
            row("time for a TLS handshake", seconds(timeouts.0.handshake), seconds(timeouts.1.handshake)),
            row("time for answers under way at a shutdown", seconds(timeouts.0.shutdown), seconds(timeouts.1.shutdown)),
            row("time for answers under way at an upgrade", seconds(ConnectionTimeouts.retirement)),
            "| requests for `steering.json` of one channel, in a second | \(ChannelSteering.mostRequests), "
                + "and half of it for a client |",
            row("bytes of a head", "\(origin.maximumHeadBytes)", "\(control.maximumHeadBytes)"),
            row("fields of a head", fields),
            row("bytes of a body", "\(origin.maximumBodyBytes)", "\(control.maximumBodyBytes)"),
            row("pieces of a body", RequestReader.mostPieces),
            // Each has a head and an end.
            row("requests that wait on one connection", RequestHandler.mostArrivals / 2),
            "| requests that wait for a playlist or a part of one channel | "
                + "\(channel.maximumWaiting), and half of it for a client | – | – |",
            "| bytes of media that are read before they are sent | \(ResourceAnswer.longestRead) |",
            "| bytes of media that are sent from a file | \(ResourceAnswer.longest) |",
            "| files that media is sent from at a time | \(OpenFiles.mostFiles) |",
            "| copies in memory of what many ask for | \(MemoryCopies.mostFiles) |",
            "| bytes of these copies | \(MemoryCopies.mostBytes) |",
            "| event streams | – | – | \(control.maximumStreams) |",
            "| requests for the past and for finished recordings that wait for a disk | "
                + "\(Readers.past.mostWaiting), and half of it for a client |",
            "| bytes of playlists of ranges and of finished recordings that are made and sent, each longer than "
                + "\(LongAnswers.shared.short) | \(LongAnswers.shared.limit), and half of it for a client |",
            "| bytes of compressed playlists of finished recordings that are kept | \(CompressedPlaylists().capacity) |",
            "| bytes of a playlist of a finished recording that is compressed | \(CompressedPlaylists.longest) |",
            "| parameters of a query that ranges and filters are looked for in | \(QueryParameters.most) |",
            "| requests at once | \(MultiplexLimits.streams) |",
            "| frames of any kind but HEADERS, in \(window) s | \(MultiplexLimits.frames) |",
            "| … more for each request | \(MultiplexLimits.framesPerRequest) |",
            "| … more for so many bytes sent to the client | \(MultiplexLimits.bytesPerFrame) |",
            "| PING, SETTINGS and PRIORITY, in \(window) s | \(MultiplexLimits.controlFrames) |",
            "| requests taken back, in \(window) s | \(MultiplexLimits.resets) |",
            "| malformed requests, in \(window) s | \(MultiplexLimits.refusals) |",
        ]
    }

    private static let window = MultiplexLimits.window.nanoseconds / 1_000_000_000

    @Test(arguments: limits) func aLimitIsAsThePageSays(row: String) throws {
        let lines = try Self.page("limits.md").filter { $0.hasPrefix(row) }
        #expect(lines.count == 1, "docs/limits.md lacks: \(row)")
    }

    /// A process that has handed over keeps the files of events for as long as it has viewers.
    @Test func theNextProcessWaitsForTheViewersOfTheLast() {
        #expect(EventStore.handover > ConnectionTimeouts.retirement)
    }

    /// What a member of a pair gives, and takes, of a recording.
    @Test(arguments: [
        "| slots of the recording in one answer to a peer | \(RecordedSlots.most) |",
        "| answers about the recording to peers at once | \(PeerQuestions.most) |",
        "| of these, answers to unknown clients, each from another network | \(PeerQuestions.mostOfStrangers) |",
        "| bytes of such an answer that is read from a peer | \(RecordedSlots.longest) |",
        "| bytes of a segment that is copied from a peer | \(HealingLimits().segmentByteCount) |",
        "| bytes of an initialization section that is copied from a peer | \(HealingLimits().initializationByteCount) |",
        "| bytes of a slot that is copied from a peer | \(HealingLimits().slotByteCount) |",
        "| renditions of all slots of such an answer | \(RecordedSlots.mostRenditions) |",
        "| bytes a second that all channels take from peers for their recordings | \(HealingBudget.usual) |",
    ])
    func aLimitOfHealingIsAsThePageSays(row: String) throws {
        #expect(try Self.page("limits.md").count { $0.hasPrefix(row) } == 1, "docs/limits.md lacks: \(row)")
    }

    /// Every row with a number, so that none is told that nobody compares.
    @Test func theThreatModelSaysWhatIsBounded() throws {
        let rows = [
            "| hold connections to the control API | \(Self.control.maximumUnauthenticatedPerAddress) of "
                + "\(DescriptorBudget(limit: 8192, channels: 1).operators) | address |",
            "| keep a request without an end open | \(Self.seconds(Self.timeouts.1.idle)) to "
                + "\(Self.seconds(Self.timeouts.0.idle)) for its head, \(Self.seconds(Self.timeouts.1.body)) for its body; "
                + "less if others connect | connection |",
            "| send the head of a request | \(Self.origin.maximumHeadBytes) bytes | connection |",
            "| send the body of a request | \(Self.origin.maximumBodyBytes) bytes | connection |",
            "| send requests ahead of the answers | \(RequestHandler.mostArrivals / 2) | connection |",
            "| send requests at once over HTTP/2 | \(MultiplexLimits.streams) | connection |",
            "| send frames of HTTP/2 that request nothing | \(MultiplexLimits.frames) in \(Self.window) s | connection |",
            "| occupy threads that read a slow disk, over HTTP/2 | \(MultiplexLimits.turns) | connection |",
        ]
        let lines = try Self.page("threat-model.md")
        let table = lines.drop { !$0.hasPrefix("| a stranger can |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(table.map(String.init) == rows)
    }

    @Test func theControlAPIHasAsManyConnectionsAsThePageSays() throws {
        let most = DescriptorBudget(limit: 8192, channels: 1).operators
        #expect(DescriptorBudget(limit: 1 << 20, channels: 1).operators == most)
        #expect(DescriptorBudget(limit: 8191, channels: 1).operators < most)
        let text = try Self.page("limits.md").joined(separator: " ")
        let words =
            "The control API has \(most) connections at most, and fewer where the process may open fewer than 8192"
        #expect(text.contains(words + " files."))
    }
}
