import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Clients that begin anywhere in a window of several crypto periods.
@Suite struct JoiningTests {
    private static let sample = FeedRecipe(
        "sample-180p",
        .encoded(["-i", Repository.smallFeed, "-map", "0:v", "-map", "0:a:0", "-c", "copy"])
    )
    private static let longFeed = FeedRecipe.joined("sample-180p-thrice", sample, sample, sample)

    /// With no keys but those that the playlist names from there on.
    @Test(
        arguments: [
            SegmentFormat(.fragmentedMP4, .sampleAES), SegmentFormat(.fragmentedMP4, .aes128),
            SegmentFormat(.transportStream, .sampleAES), SegmentFormat(.transportStream, .aes128),
        ].oneIn(3)
    )
    func fromEverySegmentOnAllIsDecrypted(format: SegmentFormat) async throws {
        let feed = try await FeedStore.shared.file(Self.longFeed)
        let packager = try await PackagerProcess(
            ["--input", feed, "--no-realtime", "--segment-duration", "1", "--window", "8", "--key-rotation", "3"]
                + format.options
        )
        _ = try await packager.mediaPlaylist("video-180p", "the stream ends") { $0.isEnded }
        let multivariant = try MultivariantPlaylist(parsing: try await packager.text("index.m3u8"))
        let directory = try TemporaryDirectory()
        for track in RotatedTrack.all(of: multivariant) {
            let source = try await track.frames(of: Repository.smallFeed)
            let playlist = try await packager.mediaPlaylist(String(track.uri.dropLast(".m3u8".count)))
            #expect(playlist.segments.count >= 8 && playlist.countOfKeys >= 3)
            for number in playlist.numbered.map(\.0) {
                let run = try #require(playlist.beginning(with: number).runs(base: "\(packager.origin)/live").first)
                try await track.expect(run, of: source, in: directory)
            }
        }
        await packager.end()
    }
}

extension MediaPlaylist {
    /// The same without what is before a segment.
    fileprivate func beginning(with number: MediaSequenceNumber) -> MediaPlaylist {
        var playlist = self
        playlist.segments = numbered.filter { $0.0 >= number }.map(\.1)
        playlist.mediaSequence = number
        return playlist
    }
}
