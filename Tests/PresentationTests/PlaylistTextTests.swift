import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Presentation

/// Texts of playlists are made when somebody asks, in the form that is asked for, and beside those who ask.
@Suite struct PlaylistTextTests {
    private static let paths = ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"]

    private static func text(_ lines: Int) -> CompressedText {
        var text = CompressedText()
        text.append("#EXTM3U\n")
        let block = (0..<lines).map { "#EXTINF:4.0,\n\($0).m4s\n" }.joined()
        text.append(block, SharedGzip(block))
        text.append("#EXT-X-ENDLIST\n")
        return text
    }

    private static func text(_ channel: Channel, _ path: String) throws -> PlaylistText {
        try #require(channel.resource(path).resource?.text)
    }

    // MARK: One text

    @Test func aFormIsMadeOnceHoweverManyAsk() async throws {
        let held = HeldTexts()
        let text = PlaylistText(Self.text(100), executor: held.executor)
        for _ in 0..<3 { #expect(!text.asked(for: .gzip)) }
        #expect(held.count == 1)
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask { await text.waitUntilMade(.gzip) }
            }
            #expect(!text.isMade(.gzip))
            held.release()
        }
        #expect(text.asked(for: .gzip))
        // The text that it is compressed from is there as well.
        #expect(text.asked(for: .plain))
        #expect(held.count == 0)
        await text.waitUntilMade(.gzip)
    }

    @Test func thePlainFormDoesNotWaitForTheCompressedOne() {
        let held = HeldTexts()
        let text = PlaylistText(Self.text(100), executor: held.executor)
        #expect(!text.asked(for: .gzip))
        #expect(!text.asked(for: .plain))
        held.release(1)
        #expect(text.isMade(.plain))
        #expect(!text.isMade(.gzip))
    }

    @Test func howLongItIsIsKnownBeforeItIsMade() {
        let text = PlaylistText(Self.text(10))
        let count = text.byteCount
        #expect(!text.isMade(.plain))
        #expect(text.plain.body.readableBytes == count)
    }

    /// What a text follows from is as long as the window.
    @Test func whatATextIsRenderedFromGoesOnceItIs() {
        final class Window: Sendable {}
        var window: Window? = Window()
        weak var kept: Window?
        kept = window
        let text = PlaylistText(demand: PlaylistDemand()) { [window] in
            withExtendedLifetime(window) { Self.text(10) }
        }
        window = nil
        #expect(kept != nil)
        let plain = text.plain.body
        #expect(kept == nil)
        #expect(plain == Self.text(10).body)
        #expect(text.gzip != nil && text.byteCount == plain.readableBytes)
    }

    @Test func equalTextsAreKnownWithoutMakingThem() {
        var other = Self.text(10)
        #expect(Self.text(10).isEqual(to: other))
        other.append("#EXT-X-ENDLIST\n")
        #expect(!Self.text(10).isEqual(to: other))
        #expect(!Self.text(10).isEqual(to: Self.text(11)))
    }

    // MARK: The texts of a playlist

    @Test func whatNobodyAsksForIsNotMade() throws {
        let held = HeldTexts()
        var channel = Channel(texts: held.executor)
        try channel.publish(count: 20)
        for path in Self.paths { #expect(try !Self.text(channel, path).isMade(.plain)) }
        #expect(held.count == 0)
    }

    @Test func whatViewersHaveAskedForIsMadeBeforeTheyAskAgain() throws {
        var channel = Channel(texts: .inline)
        try channel.publish()
        #expect(try Self.text(channel, "video-1080p.m3u8").asked(for: .plain))
        #expect(try Self.text(channel, "audio-en.m3u8").asked(for: .gzip))
        for _ in 0..<PlaylistDemand.patience {
            try channel.publish()
            #expect(try Self.text(channel, "video-1080p.m3u8").isMade(.plain))
            #expect(try !Self.text(channel, "video-1080p.m3u8").isMade(.gzip))
            #expect(try Self.text(channel, "audio-en.m3u8").isMade(.gzip))
        }
        // They have left.
        try channel.publish()
        #expect(try !Self.text(channel, "video-1080p.m3u8").isMade(.plain))
        #expect(try !Self.text(channel, "audio-en.m3u8").isMade(.gzip))
    }

    /// Viewers who ask for a new playlist wait for no other thread, which a busy machine may not run for a while.
    @Test func whatViewersHaveAskedForIsMadeByThePublication() throws {
        let held = HeldTexts()
        var channel = Channel(texts: held.executor)
        try channel.publish()
        #expect(try !Self.text(channel, "video-1080p.m3u8").asked(for: .gzip))
        try channel.publish()
        #expect(try Self.text(channel, "video-1080p.m3u8").asked(for: .gzip))
        #expect(held.count == 1, "the one that was asked for before")
    }

    @Test func aRenditionThatIsHeldHoldsUpNoOther() throws {
        let held = HeldTexts()
        var channel = Channel(texts: held.executor)
        try channel.publish(count: 3)
        #expect(try !Self.text(channel, "video-1080p.m3u8").asked(for: .gzip))
        #expect(try !Self.text(channel, "audio-en.m3u8").asked(for: .gzip))
        held.release(1)
        #expect(try Self.text(channel, "audio-en.m3u8").asked(for: .gzip))
        #expect(try !Self.text(channel, "video-1080p.m3u8").asked(for: .gzip))
        // Nor does it hold up publications.
        try channel.publish()
        #expect(try channel.playlist(Channel.audio).segments.count == 4)
    }

    @Test(arguments: [1, 3, 40])
    func whoeverMakesItTheBytesAreTheSame(count: Int) throws {
        var (asked, unasked) = (Channel(window: MediaTime(seconds: 2_000)), Channel(window: MediaTime(seconds: 2_000)))
        for _ in 0..<count {
            for _ in 0..<10 {
                try asked.publish()
                try unasked.publish()
            }
            for path in Self.paths { _ = try Self.text(asked, path).gzip }
        }
        for path in Self.paths {
            let (left, right) = (try Self.text(asked, path), try Self.text(unasked, path))
            #expect(left.plain.body == right.plain.body)
            #expect(left.gzip?.body == right.gzip?.body)
            #expect(left.gzip?.entityTag == right.gzip?.entityTag)
        }
    }
}
