import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Presentation

@Suite struct PresentationConcurrencyTests {
    @Test func renditionsMoveTogetherUnderConcurrentReaders() async throws {
        var channel = Channel()
        try channel.publish()
        let presentation = channel.presentation
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    var edge: Int64 = 0
                    while presentation.snapshot().state == .live {
                        for path in ["video-1080p.m3u8", "audio-en.m3u8"] {
                            let body = try #require(presentation.resource(path, now: .zero).resource?.body.memory)
                            let playlist = try MediaPlaylist(parsing: String(buffer: body))
                            let last = playlist.mediaSequence.value + Int64(playlist.segments.count)
                            // Read one after the other, the second is never behind the first.
                            #expect(last >= edge)
                            edge = last
                        }
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<100 {
                try channel.publish()
                await Task.yield()
            }
            presentation.end(now: channel.now)
            try await group.waitForAll()
        }
    }

    @Test func ofTwoPublicationsOfOneNumberTheSecondIsRefused() throws {
        var state = Presentation.State(configuration: Channel().presentation.configuration)
        state.declare([.video])
        let first = try state.prepare([.media(1)])
        let second = try state.prepare([.media(1)])
        _ = try state.commit(first, now: .zero)
        #expect(throws: PublicationError.outOfSequence(expected: MediaSequenceNumber(2), found: MediaSequenceNumber(1)))
        {
            try state.commit(second, now: .zero)
        }
    }

    @Test func anOlderListingNeverReplacesANewerOne() throws {
        var state = Presentation.State(configuration: Channel().presentation.configuration)
        state.declare([.video])
        let older = try #require(try state.commit(state.prepare([.media(1)]), now: .zero))
        let newer = try #require(try state.commit(state.prepare([.media(2)]), now: .zero))
        state.install(try #require(newer.rendered()))
        let text = Served(state).lookup("video-1080p.m3u8", now: .zero)
        state.install(try #require(older.rendered()))
        #expect(Served(state).lookup("video-1080p.m3u8", now: .zero) == text)
    }

    /// A request that comes while the last playlists are rendered waits for them.
    @Test func theEndIsThereOncePlaylistsSayIt() throws {
        var state = Presentation.State(configuration: Channel().presentation.configuration)
        state.declare([.video])
        let first = try #require(try state.commit(state.prepare([.media(1)]), now: .zero))
        state.install(try #require(first.rendered()))
        let last = state.end(now: .zero)
        let playlists = try #require(last?.rendered())
        #expect(!Served(state).isEnded)
        state.install(playlists)
        #expect(Served(state).isEnded)
        // A later change does not take it back.
        _ = state.setSessionKeys([.ofPeriod(2)])
        #expect(state.isListingBehind)
        #expect(Served(state).isEnded)
    }
}
