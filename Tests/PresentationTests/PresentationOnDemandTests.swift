import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

/// The playlists of a file as a whole.
@Suite struct PresentationOnDemandTests {
    /// Such a playlist never changes, so there is none before it is complete (RFC 8216bis § 4.4.3.5).
    @Test func playlistsAreThereAtTheEndAndListAll() throws {
        let store = MemoryStore()
        var channel = Channel(
            window: MediaTime(seconds: 86_400),
            maximumBytes: 2_000_000,
            store: store,
            isOnDemand: true,
            keepsMediaInMemory: false
        )
        for _ in 0..<500 { try channel.publish(byteCounts: [Channel.video: 9_000, Channel.audio: 1_000]) }
        #expect(channel.resource("index.m3u8").resource == nil)
        // No segment is in memory, however long the film is.
        #expect(channel.presentation.memoryUse.bytes < 1_000)
        channel.presentation.end(now: channel.now)
        let playlist = try channel.playlist()
        #expect(playlist.isOnDemand && playlist.isEnded)
        #expect(playlist.segments.count == 500)
        #expect(channel.presentation.listedDuration == playlist.segments.reduce(.zero) { $0 + $1.duration.time })
        let body = try #require(channel.resource(playlist.segments[0].uri).resource?.body)
        #expect(body.memory == nil)
        #expect(try body.read().readableBytes == 9_000)
    }
}
