import Channels
import Foundation
import Logging
import MediaCore
import Operations
import PackagerConfig
import Segmenting
import TestSupport
import Testing

@testable import Hosting

/// The inputs of a channel in the place of another one: what was known of their feeds is theirs, whatever their numbers are.
@Suite(.timeLimit(.minutes(5))) struct FormerInputTests {
    private static let modulus = Int64(1) << 33

    /// Makes an input with a place on the timeline.
    static func placed(
        _ name: String,
        _ location: String,
        anchor: Int64,
        isRepeated: Bool = false
    ) throws -> FormerInput {
        let placement =
            #"{"anchor": \#(anchor), "utcOffset": 0, "modulus": \#(modulus), "isRepeated": \#(isRepeated)}"#
        let json = #"{"name": "\#(name)", "location": "\#(location)", "isHeld": false, "placement": \#(placement)}"#
        return try JSONDecoder().decode(FormerInput.self, from: Data(json.utf8))
    }

    private static func inputs(_ locations: [String]) -> [FormerInput] {
        numbered(locations).map { FormerInput(name: $0.input.description, location: $0.location) }
    }

    /// Numbers the feeds of a channel with one input and backups.
    private static func numbered(_ locations: [String]) -> [(input: InputID, location: String)] {
        locations.enumerated().map { index, location in
            (index == 0 ? InputID.input(0) : InputID.backup(index - 1, inputCount: 1), location)
        }
    }

    /// The first feed is that of the input, and the others those of backups.
    @Test(
        arguments: [
            // Backups that change places, one that is removed, and one that is replaced.
            (["a", "b", "c"], ["a", "c", "b"], ["input-1", "backup-2", "backup-1"], []),
            (["a", "b", "c"], ["a", "c"], ["input-1", "backup-2"], ["backup-1"]),
            (["a", "b", "c"], ["a", "d", "c"], ["input-1", nil, "backup-2"], ["backup-1"]),
            // A location that is listed twice: who keeps the name is the same, and the others follow in their order.
            (["a", "a"], ["b", "a"], [nil, "backup-1"], ["input-1"]),
            (["a", "b", "a"], ["b", "a"], ["backup-1", "input-1"], ["backup-2"]),
            (["a", "a", "b"], ["b", "c", "a", "a"], ["backup-2", nil, "input-1", "backup-1"], []),
            ([], ["a"], [nil], []),
        ] as [([String], [String], [String?], [String])]
    )
    func feedsAreFoundAgain(before: [String], after: [String], names: [String?], gone: [String]) {
        let feeds = Self.numbered(after)
        let matched = FormerInput.matched(Self.inputs(before), with: feeds)
        #expect(feeds.map { matched.found[$0.input]?.name } == names)
        #expect(matched.gone.map(\.name) == gone)
    }

    @Test func inputsOfVersionsWithoutLocationsAreFoundByName() {
        let former = ["input-1", "backup-2"].map { FormerInput(name: $0) }
        let feeds = Self.numbered(["a", "b"])
        let matched = FormerInput.matched(former, with: feeds)
        #expect(feeds.map { matched.found[$0.input]?.name } == ["input-1", nil])
        #expect(matched.gone.map(\.name) == ["backup-2"])
    }

    /// It may be open before its reader is there, and slots must not wait for what nobody has read.
    @Test func newFeedIsNotRepeated() throws {
        var inheritance = Inheritance()
        inheritance.add(.input(0), after: try Self.placed("backup-1", "a", anchor: 5), isRepeated: false)
        inheritance.add(.backup(0, inputCount: 1), after: nil, isRepeated: true)
        #expect(!inheritance.isRepeated)
        let placement = try #require(try Self.placed("", "", anchor: 5).placement)
        #expect(inheritance.placements == [InputID.input(0): placement])
        inheritance.add(.input(0), after: try Self.placed("backup-1", "a", anchor: 5), isRepeated: true)
        #expect(inheritance.isRepeated)
        let repeated = try Self.placed("", "", anchor: 5, isRepeated: true).placement
        #expect(inheritance.placements[.input(0)] == repeated)
    }

    /// An input whose place is known has it with its first packet, and any other one waits for the end of a burst.
    @Test func placeOnTheTimelineIsThatOfTheFeed() async throws {
        let assembly = ChannelAssembly(
            clock: StoppedClock(),
            events: EventLog(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let feeds = (1...3).map { FeedLocation("https://192.0.2.1/\($0).m3u8") }
        var settings = try Stage.channel("a")
        (settings.inputs, settings.backups) = ([feeds[0]], [feeds[1], feeds[2]])
        let timestamp: Int64 = 900_000
        var predecessor = ChannelPredecessor(window: nil, streamIdentity: [:], schedule: [])
        let anchor = StoppedClock().now.ticks - timestamp
        predecessor.inputs = [
            FormerInput(name: "input-1", location: feeds[0].location),
            try Self.placed("backup-1", feeds[2].location, anchor: anchor),
        ]
        let resources = try await ChannelResources(for: settings, assembly)
        let components = try assembly.components(of: settings, resources).0
        let channel = components.channel
        let requests = assembly.requests(of: settings, for: channel, components.keyFrames, after: predecessor)
        let track = InputTrack(index: 0, kind: .audio, codec: .aac, header: [0x11, 0x90])
        let packet = PacketInfo(trackIndex: 0, presentationTimestamp: timestamp, decodeTimestamp: timestamp)
        let frame: [UInt8] = [0x21, 0, 3, 4]
        for request in requests {
            request.consumer.inputOpened(tracks: [track], timestampModulus: Self.modulus)
            request.consumer.inputReceived(packet, payload: frame.span.bytes)
        }
        #expect(channel.placements.keys.map(\.description) == ["backup-2"])
        await channel.close(ends: false)
    }
}
