import MediaCore
import Playlists
import Presentation
import Testing

@Suite struct PresentationStartTests {
    @Test func nothingIsListedBeforeEveryRenditionHasMediaInOneSlot() throws {
        var channel = Channel()
        try channel.publish(gaps: [Channel.video])
        try channel.publish(gaps: [Channel.audio])
        #expect(channel.resource("index.m3u8") == .starting(retryAfter: 4))
        #expect(channel.resource("video-1080p.m3u8") == .starting(retryAfter: 4))
        #expect(channel.resource("video-1080p/448812001.m4s") == .notFound(.unknown))
        #expect(channel.presentation.snapshot().state == .starting)

        try channel.publish()
        #expect(try channel.playlist().mediaSequence.value == Channel.firstNumber + 2)
        #expect(try channel.playlist(Channel.audio).mediaSequence.value == Channel.firstNumber + 2)
        #expect(channel.presentation.snapshot().state == .live)
        #expect(channel.resource("video-1080p/448812001.m4s") == .notFound(.unknown))
    }

    /// An input that dies while a channel starts must not keep the others from viewers until it is back.
    @Test func aRenditionThatIsAwayJoinsLaterWhereASlotDoesNotWaitForAll() throws {
        var channel = Channel()
        // A slot of nothing at all can never be the first.
        try channel.publish(gaps: [Channel.video, Channel.audio], waitsForAll: false)
        #expect(channel.presentation.snapshot().state == .starting)
        try channel.publish(gaps: [Channel.audio], waitsForAll: false)
        #expect(channel.presentation.snapshot().state == .live)
        #expect(try channel.playlist().mediaSequence.value == Channel.firstNumber + 1)
        #expect(channel.resource("audio-en.m3u8") == .notFound(.unknown))
        #expect(try channel.multivariant().renditions.isEmpty)

        try channel.publish()
        #expect(try channel.playlist(Channel.audio).mediaSequence.value == Channel.firstNumber + 2)
        #expect(try channel.multivariant().renditions.map(\.name) == ["English"])
    }

    @Test func aChannelThatEndsBeforeItStartsHasNothing() {
        let channel = Channel()
        channel.presentation.end(now: channel.now)
        #expect(channel.resource("index.m3u8") == .notFound(.unknown))
        #expect(channel.presentation.snapshot().state == .ended)
    }

    @Test func aSkippedOrRepeatedNumberIsRefusedAndChangesNothing() throws {
        var channel = Channel()
        try channel.publish(count: 2)
        let before = channel.presentation.snapshot()
        for number in [Channel.firstNumber + 3, Channel.firstNumber + 1, 0] {
            #expect(
                throws: PublicationError.outOfSequence(
                    expected: MediaSequenceNumber(Channel.firstNumber + 2),
                    found: MediaSequenceNumber(number)
                )
            ) {
                try channel.presentation.publish(
                    PublishedSlot(number: MediaSequenceNumber(number), segments: [:]),
                    now: channel.now
                )
            }
        }
        #expect(channel.presentation.snapshot() == before)
    }

    @Test func aSlotHasExactlyTheDeclaredRenditions() throws {
        var channel = Channel()
        #expect(throws: PublicationError.renditionsDiffer(missing: [Channel.audio], undeclared: ["radio"])) {
            try channel.publish([Channel.video, "radio"])
        }
    }

    @Test func nothingFollowsTheEnd() throws {
        var channel = Channel()
        try channel.publish()
        channel.presentation.end(now: channel.now)
        #expect(throws: PublicationError.ended) { try channel.publish() }
        #expect(try channel.playlist().isEnded)
        #expect(try channel.playlist(Channel.audio).isEnded)
        #expect(channel.presentation.snapshot().state == .ended)
    }

    @Test func aRenditionThatJoinsBeginsWithItsFirstMedia() throws {
        var channel = Channel()
        try channel.publish()
        try channel.publish(startsDiscontinuity: true)
        var second = RenditionDescription.audio
        (second.id, second.name) = ("audio-fr", "Français")
        channel.presentation.declare(renditions: [.video, .audio, second])
        let all = [Channel.video, Channel.audio, second.id]
        try channel.publish(all, gaps: [second.id])
        #expect(channel.resource("audio-fr.m3u8") == .notFound(.unknown))
        #expect(try channel.multivariant().renditions.map(\.name) == ["English"])

        try channel.publish(all)
        #expect(try channel.playlist(second.id).mediaSequence.value == Channel.firstNumber + 3)
        #expect(try channel.playlist(second.id).discontinuitySequence == 1)
        #expect(try channel.multivariant().renditions.map(\.name) == ["English", "Français"])
    }

    @Test func aRenditionThatIsLeftOutLosesItsPlaylistButNotItsSegments() throws {
        var channel = Channel(renditions: [.video])
        try channel.publish([Channel.video])
        var low = RenditionDescription.video
        low.id = "video-720p"
        channel.presentation.declare(renditions: [low])
        #expect(channel.resource("video-1080p.m3u8").resource != nil)
        try channel.publish([low.id])
        #expect(channel.resource("video-1080p.m3u8") == .notFound(.unknown))
        #expect(channel.resource("video-1080p/448812000.m4s").resource != nil)
        #expect(try channel.multivariant().variants.map(\.uri) == ["video-720p.m3u8"])
    }
}
