import MediaCore
import NIOCore
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import Presentation

/// Renditions of a channel do not wait for one another, and unchanged texts of one are not made again.
@Suite(.timeLimit(.minutes(5))) struct RenditionTimelineTests {
    private static func generation(_ id: RenditionID, _ channel: Channel) -> Int? {
        channel.presentation.state.withLock { $0.timelines[id]?.playlist?.generation }
    }

    private static func generations(_ channel: Channel) -> [Int?] {
        [generation(Channel.video, channel), generation(Channel.audio, channel)]
    }

    @Test func aGenerationMovesOnlyWhenTheTextChanges() throws {
        var channel = Channel()
        let presentation = channel.presentation
        #expect(Self.generations(channel) == [nil, nil])
        try channel.publish()
        #expect(Self.generations(channel) == [1, 1])
        try channel.publish()
        #expect(Self.generations(channel) == [2, 2])
        let (video, audio) = (channel.text("video-1080p.m3u8"), channel.text("audio-en.m3u8"))
        // The multivariant playlist alone.
        presentation.setSessionKeys([.ofPeriod(2)])
        presentation.setPlaybackTerms([Channel.video: PlaybackTerms(hdcpLevel: .type1)])
        #expect(Self.generations(channel) == [2, 2])
        #expect(channel.text("video-1080p.m3u8") == video)
        // One rendition alone.
        presentation.setKeyHints([Channel.video: KeyHint(key: .ofPeriod(2), firstUse: channel.now)])
        #expect(Self.generations(channel) == [3, 2])
        #expect(channel.text("video-1080p.m3u8") != video)
        #expect(channel.text("audio-en.m3u8") == audio)
        // Nothing.
        presentation.renderOnce {}
        presentation.tick(now: channel.now)
        #expect(Self.generations(channel) == [3, 2])
        presentation.end(now: channel.now)
        #expect(Self.generations(channel) == [4, 3])
    }

    @Test func aTextThatStaysIsNotMadeAgain() throws {
        var channel = Channel()
        try channel.publish()
        let audio = try #require(channel.resource("audio-en.m3u8").resource?.text)
        channel.presentation.setKeyHints([Channel.video: KeyHint(key: .ofPeriod(2), firstUse: channel.now)])
        #expect(channel.resource("audio-en.m3u8").resource?.text === audio)
    }

    /// While one playlist is rendered for a viewer, all that is in place is served, and parts and slots are published.
    @Test func aRenderingThatIsHeldHoldsUpNoRequestAndNoPart() async throws {
        let gate = Gate()
        var channel = Channel(
            partTarget: MediaTime(seconds: 1),
            texts: TextExecutor { work in
                gate.pass()
                work()
            }
        )
        try channel.publish(count: 3)
        let (audio, video) = (channel.text("audio-en.m3u8"), channel.resource("video-1080p.m3u8").resource?.text)
        gate.close()
        let asking = Task.detached { video?.asked(for: .gzip) }
        _ = try await eventually(within: 30, "a rendering is held") { gate.waiting == 1 ? true : nil }
        #expect(channel.text("audio-en.m3u8") == audio)
        #expect(channel.resource("video-1080p/\(channel.nextNumber - 1).m4s").resource != nil)
        let presentation = channel.presentation
        let part = PublishedPart(
            number: MediaSequenceNumber(Channel.firstNumber + 3),
            index: 0,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: true,
            content: .media(ByteBuffer(string: "part"))
        )
        try presentation.publish(part, of: Channel.audio)
        #expect(presentation.reload(Channel.audio, at: part.position) == .ready)
        try channel.publish()
        #expect(try channel.playlist(Channel.audio).segments.count == 4)
        gate.open()
        #expect(await asking.value == true)
    }
}
