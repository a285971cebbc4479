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
                "time for what was sent to be taken, or for \(ConnectionHandler.leastProgress) bytes of a longer answer",
                write.0,
                write.1
            ),
            row("time for a TLS handshake", seconds(timeouts.0.handshake), seconds(timeouts.1.handshake)),
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
        ]
    }

    private static let window = MultiplexLimits.window.nanoseconds / 1_000_000_000

    @Test(arguments: limits) func aLimitIsAsThePageSays(row: String) throws {
        let lines = try Self.page("limits.md").filter { $0.hasPrefix(row) }
        #expect(lines.count == 1, "docs/limits.md lacks: \(row)")
    }

    /// What a member of a pair gives, and takes, of a recording.
    @Test(arguments: [
        "| slots of an answer to a peer about the recording, such questions at once, and those of them that strangers ask, "
            + "each from another network | \(RecordedSlots.most), \(PeerQuestions.most), and "
            + "\(PeerQuestions.mostOfStrangers) |",
        "| bytes of such an answer, segments, initialization sections and slots that are taken from a peer | "
            + "\(RecordedSlots.longest), \(HealingLimits().segmentByteCount), "
            + "\(HealingLimits().initializationByteCount), \(HealingLimits().slotByteCount) |",
        "| renditions of all slots of such an answer | \(RecordedSlots.mostRenditions) |",
        "| bytes a second that all channels take from peers for their recordings | \(HealingBudget.usual) |",
    ])
    func aLimitOfHealingIsAsThePageSays(row: String) throws {
        #expect(try Self.page("limits.md").count { $0.hasPrefix(row) } == 1, "docs/limits.md lacks: \(row)")
    }

    /// Every row with a number, so that none is told that nobody compares.
    @Test func theThreatModelSaysWhatIsBounded() throws {
        let rows = [
            "| hold connections to the control API from one address | \(Self.control.maximumUnauthenticatedPerAddress) "
                + "| \(DescriptorBudget(limit: 8192, channels: 1).operators) |",
            "| keep a request without an end open | \(Self.seconds(Self.timeouts.1.body)) "
                + "| its connection gives way before that |",
            "| have a head of a request kept | \(Self.origin.maximumHeadBytes) bytes | each connection |",
            "| have a body of a request kept | \(Self.origin.maximumBodyBytes) bytes | each connection |",
            "| have requests wait on one connection | \(RequestHandler.mostArrivals / 2) | each connection |",
            "| have requests at once on one connection of HTTP/2 | \(MultiplexLimits.streams) | each connection |",
            "| send frames of HTTP/2 that ask for nothing | \(MultiplexLimits.frames) | \(Self.window) s |",
            "| have readers of a slow disk occupied over HTTP/2 | \(MultiplexLimits.turns) | each connection |",
        ]
        let lines = try Self.page("threat-model.md")
        let table = lines.drop { !$0.hasPrefix("| a stranger may |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
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
