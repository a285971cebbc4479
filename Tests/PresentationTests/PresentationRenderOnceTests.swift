import MediaCore
import Playlists
import Testing

@testable import Presentation

/// Slots that are made up for after an outage are rendered once.
@Suite struct PresentationRenderOnceTests {
    private let paths = ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"]

    @Test func playlistsShowAllChangesAfterTheLast() throws {
        var channel = Channel()
        try channel.publish(count: 3)
        let before = paths.map(channel.text)
        let presentation = channel.presentation
        try presentation.renderOnce {
            try channel.publish(count: 3)
            presentation.setSessionKeys([.ofPeriod(2)])
            try channel.publish(gaps: [Channel.video], keyPeriod: 2)
            #expect(paths.map(channel.text) == before)
        }
        var other = Channel()
        try other.publish(count: 6)
        other.presentation.setSessionKeys([.ofPeriod(2)])
        try other.publish(gaps: [Channel.video], keyPeriod: 2)
        #expect(paths.map(channel.text) == paths.map(other.text))
        #expect(paths.map(channel.text) != before)
        #expect(presentation.saved == other.presentation.saved)
    }

    @Test func whatWasPublishedBeforeAnErrorIsListed() throws {
        var channel = Channel()
        try channel.publish()
        let presentation = channel.presentation
        #expect(throws: PublicationError.self) {
            try presentation.renderOnce {
                try channel.publish()
                try channel.publish([Channel.video])
            }
        }
        #expect(try channel.playlist().segments.count == 2)
    }

    @Test func afterAStopSlotsAreKeptAndNothingIsRendered() throws {
        var channel = Channel()
        try channel.publish(count: 3)
        let before = paths.map(channel.text)
        channel.presentation.stop()
        try channel.publish()
        channel.presentation.setSessionKeys([.ofPeriod(2)])
        #expect(paths.map(channel.text) == before)
        #expect(channel.presentation.saved.numbers.count == 4)
    }

    @Test func aRenderingThatIsStoppedGivesUp() throws {
        var channel = Channel()
        try channel.publish()
        let listing = Listing(
            generation: 1,
            multivariants: [.everyPlayer: try channel.multivariant()],
            media: [
                "a": ListedPlaylist(rendition: Channel.video, frame: try channel.playlist(), slots: ListedSlots()[...])
            ]
        )
        #expect(listing.rendered() != nil)
        #expect(listing.rendered(unless: { true }) == nil)
    }

    @Test func nothingIsRenderedWhereNothingChanges() throws {
        var channel = Channel()
        try channel.publish()
        let before = channel.resource("index.m3u8").resource?.entityTag
        channel.presentation.renderOnce { channel.presentation.renderOnce {} }
        #expect(channel.resource("index.m3u8").resource?.entityTag == before)
        try channel.publish()
        #expect(try channel.playlist().segments.count == 2, "it is rendered at once again")
    }
}
