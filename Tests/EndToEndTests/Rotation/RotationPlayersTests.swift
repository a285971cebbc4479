import Foundation
import Playlists
import TestSupport
import Testing

/// Players of Clear Key, by Encrypted Media Extensions, while keys change every second.
@Suite struct RotationPlayersTests {
    private struct Seen: Decodable {
        /// The number of pictures that were decoded.
        var pictures: Int
        /// Requests for licences.
        var licences: Int
    }

    /// The player page, and hls.js, which gets every key by the playlist's tag for Clear Key.
    @Test func playersOfClearKeyPlayTenPeriodsAndAGap() async throws {
        let fixture = try PairFixture(feeds: [.oneLanguage])
        let packager = try await fixture.packager(
            0,
            ["--segment-duration": "1", "--key-rotation": "1", "--window": "20", "--drm": "clearkey"]
        )
        _ = try await packager.mediaPlaylist("video-180p", "six segments") { $0.segments.count >= 6 }
        let page = try PlayingPage(
            of: packager,
            ["--minimum-advance", "12", "--min-periods", "10", "--expect-gap"]
        )
        async let other = Program.run(
            Repository.python,
            [
                Repository.script("EndToEndTests/Browser/watch.py"), "hls.js=\(packager.url("index.m3u8"))",
                "--minimum-advance", "20",
            ]
        )
        // A gap that it does not come to would be waited for in vain.
        try await page.begun()
        fixture.relay.set(.cut, to: 0)
        _ = try await packager.mediaPlaylist("video-180p", "two gaps") { $0.segments.count(where: \.isGap) >= 2 }
        fixture.relay.set(.intact, to: 0)
        try await page.seen()
        let seen = try await JSONDecoder().decode(Seen.self, from: Data(other.utf8))
        // A key for pictures and one for audio in each second, but for those of the gap.
        #expect(seen.licences >= 20 && seen.pictures >= 250, "\(seen)")
        await packager.end()
    }
}
