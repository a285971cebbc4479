import MediaCore
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Renditions that no input has any more: the engine knows what playlists list, and decides from that when they leave.
@Suite struct AbandonedRenditionTests {
    private static let base = Epoch.time.ticks % ChannelFeed.modulus
    private static let feed = ChannelFeed(base: base)
    private static let video = ChannelFeed(audio: nil, base: base)

    /// A channel and its input.
    private struct Run {
        let fixture: ChannelFixture
        let input: ChannelInput
        var now: Int64 = 0

        init(_ fixture: ChannelFixture) {
            self.fixture = fixture
            input = fixture.channel.makeInput(.input(0), pace: .live)
        }

        mutating func show(_ feed: ChannelFeed, until end: Int64) {
            feed.sendLive(now..<end, at: now, to: input, of: fixture)
            now = end
        }
    }

    /// A slot that is listed, in words.
    private static func text(_ slot: SlotOutline) -> String {
        let segments = slot.segments.map { "\($0.id) \($0.content)" }.sorted().joined(separator: ", ")
        return "\(slot.number) \(slot.duration.ticks): \(segments)"
    }

    private func compare(_ run: Run) {
        let predicted = run.fixture.channel.engine.ledger.window.slots.map(Self.text)
        #expect(predicted == run.fixture.presentation.saved.outlines.map(Self.text))
    }

    /// Through a track that goes and comes, losses for as long as the window, and a restart.
    @Test(arguments: [24, 60] as [Int64]) func theEngineKnowsWhatIsListed(window: Int64) {
        var run = Run(ChannelFixture(source: .pts, window: window))
        Self.feed.open(run.input)
        for _ in 0..<5 {
            run.show(Self.feed, until: run.now + 4_000)
            compare(run)
        }
        Self.video.open(run.input)
        for _ in 0..<6 {
            run.show(Self.video, until: run.now + 4_000)
            compare(run)
        }
        Self.feed.open(run.input)
        run.show(Self.feed, until: run.now + 30_000)
        compare(run)
        run.input.inputLost(reason: "end of file")
        for _ in 0..<20 {
            run.now += 4_000
            run.fixture.wait(until: run.now)
            compare(run)
        }
        Self.feed.open(run.input)
        for _ in 0..<20 {
            run.show(Self.feed, until: run.now + 4_000)
            compare(run)
        }
        var next = Run(ChannelFixture(source: .pts, window: window))
        next.now = run.now + 10_000
        next.fixture.goOn(from: run.fixture, at: next.now)
        compare(next)
        Self.feed.open(next.input)
        for _ in 0..<10 {
            next.show(Self.feed, until: next.now + 4_000)
            compare(next)
        }
    }

    /// The members of a pair have different memories, and publish the same.
    @Test func aWindowThatMemoryShortensDropsNothingElse() throws {
        let memories = [100_000_000, 1]
        var runs = memories.map { Run(ChannelFixture(source: .pts, maximumMemory: $0)) }
        for index in runs.indices {
            Self.feed.open(runs[index].input)
            runs[index].show(Self.feed, until: 9_000)
            Self.video.open(runs[index].input)
        }
        var lists: [[String]] = []
        for end in stride(from: Int64(13_000), through: 57_000, by: 4_000) {
            for index in runs.indices { runs[index].show(Self.video, until: end) }
            let names = runs.map { $0.fixture.presentation.saved.renditions.map(\.id.name) }
            #expect(names[0] == names[1], "at \(end)")
            lists.append(names[0])
        }
        #expect(lists.first == ["video-180p", "audio"] && lists.last == ["video-180p"])
        let lengths = runs.map { $0.fixture.presentation.saved.outlines.count }
        #expect(lengths[0] > lengths[1], "memory shortens the one: \(lengths)")
    }
}
