import MediaCore
import NIOCore
import NIOEmbedded
import Playlists
import Synchronization
import Testing

@testable import Presentation

/// Playlists that are rendered for a part, beside those that are rendered for a slot.
@Suite struct PartRenderingTests {
    private static let path = "video-1080p.m3u8"

    @Test func anOlderTextNeverReplacesANewerOne() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        var state = channel.presentation.state.withLock { $0 }
        let hint = KeyHint(key: .ofPeriod(2), firstUse: channel.now)
        let listing = state.setKeyHints([Channel.audio: hint])
        let older = try state.append(Channel.part(channel.nextNumber, 0), entityTag: nil, of: Channel.video)
        let newer = try state.append(Channel.part(channel.nextNumber, 1), entityTag: nil, of: Channel.video)
        func text(_ id: RenditionID) -> String {
            Served(state).lookup("\(id).m3u8", now: .zero).resource?.body.memory.map { String(buffer: $0) } ?? ""
        }
        state.install(try #require(newer?.rendered()), of: Channel.video)
        let video = text(Channel.video)
        #expect(video.lines("#EXT-X-PART:").count == 2)
        state.install(try #require(older?.rendered()), of: Channel.video)
        #expect(text(Channel.video) == video)
        state.install(try #require(listing?.rendered()))
        #expect(text(Channel.video) == video)
        #expect(text(Channel.audio).contains("TYPE=KEY"), "what is newer in it is there")
        #expect(state.playlistsBehind().isEmpty)
    }

    /// A part that comes while the first playlist is rendered is listed as soon as there is one.
    @Test func aPartThatComesMeanwhileIsListedAfterwards() throws {
        var state = Presentation.State(configuration: Channel.lowLatency().presentation.configuration)
        state.declare([.video])
        let listing = try #require(try state.commit(state.prepare([.media(1)]), now: .zero))
        let playlist = try state.append(Channel.part(2, 0), entityTag: nil, of: Channel.video)
        #expect(playlist?.rendition == nil)
        state.install(try #require(listing.rendered()))
        let behind = state.playlistsBehind()
        #expect(behind.map(\.rendition) == [Channel.video])
        for playlist in behind { state.install(try #require(playlist.rendered()), of: playlist.rendition) }
        #expect(state.timelines[Channel.video]?.playlist?.openPartCount == 1)
        #expect(state.playlistsBehind().isEmpty)
    }

    @Test func whoIsCalledFindsTheText() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        let presentation = channel.presentation
        let (part, now) = (Channel.part(channel.nextNumber, 0), channel.now)
        let found = Mutex(false)
        let text = try #require(channel.resource(Self.path).resource?.text)
        _ = text.asked(for: .plain)
        let eventLoop = EmbeddedEventLoop()
        let condition = PlaylistCondition.reaches(Channel.video, part.position)
        #expect(presentation.reload(Channel.video, at: part.position) == .waiting(condition))
        let ticket = presentation.wait(for: condition, of: 1, patience: .seconds(18), on: eventLoop) {
            let text = presentation.resource(Self.path, now: now).resource?.text
            let isMade = text?.isMade(.plain) ?? false
            found.withLock {
                $0 = isMade && text.map { String(buffer: $0.plain.body).contains("#EXT-X-PART:") } ?? false
            }
        }
        #expect(ticket != nil)
        try presentation.publish(part, of: Channel.video)
        eventLoop.run()
        #expect(found.withLock { $0 })
    }
}
