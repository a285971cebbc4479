import Foundation
import Playlists
import TestSupport
import Testing

/// Trick play: every entry of an I-frame playlist is one picture of the feed, the one that is a key picture there.
@Suite struct IFrameTests {
    private func check(_ playlist: IFramePlaylist, against feed: FeedRecipe, isAV1: Bool = false) async throws {
        let keys = try await Frames.decoded(["-skip_frame", "nokey", "-i", try await FeedStore.shared.file(feed)])
        let directory = try TemporaryDirectory()
        var listed: [DecodedFrame] = []
        for generation in FFmpegGeneration.allCases where generation.decodesAV1 || !isAV1 {
            let pictures = try await playlist.pictures(in: directory, by: generation)
            #expect(
                pictures.allSatisfy { $0.count == 1 },
                "FFmpeg \(generation.rawValue) sees \(pictures.map(\.count))"
            )
            let seen = Set(pictures.flatMap { $0 })
            listed = keys.filter { seen.contains($0.checksum) }
            // Not each has to be listed, but one in every segment, and in order.
            #expect(pictures.flatMap { $0 } == listed.map(\.checksum), "FFmpeg \(generation.rawValue)")
        }
        #expect(playlist.isIFramesOnly && listed.first == keys.first && listed.count >= 3)
        #expect(playlist.entries.allSatisfy { $0.hasByteRange })
        // RFC 8216bis § 4.4.3.6: the duration is the time to the next I-frame.
        for (entry, (key, next)) in zip(playlist.entries, zip(listed, listed.dropFirst())) {
            #expect(abs(entry.duration - Double(next.time - key.time) / 90_000) < 0.001)
        }
    }

    @Test(arguments: FormatMatrix.tested { $0.codec.kind == .video })
    func everyIFrameIsAKeyPictureOfTheFeed(cell: FormatMatrix.Cell) async throws {
        let published = try await PackagedFeed([cell.feed], as: cell.format)
        let variant = try #require(published.multivariant.iFrameVariants.first)
        let playlist = IFramePlaylist(try await published.packager.text(variant.uri), base: published.packager.url(""))
        try await check(playlist, against: cell.feed, isAV1: cell.codec.name == "AV1")
        await published.packager.end()
    }

    /// The judge judges right: it agrees with another packager.
    @Test(arguments: [[], ["--protection_scheme", "cbcs", "--hls_key_uri", "key"]])
    func anotherPackagersIFramesAreKeyPictures(encryption: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = try await FeedStore.shared.file(.avc)
        let key = "30313233343536373839616263646566"
        try "0123456789abcdef".write(toFile: directory.file("key"), atomically: true, encoding: .utf8)
        let secret = ["--enable_raw_key_encryption", "--clear_lead", "0", "--keys", "label=:key_id=\(key):key=\(key)"]
        try await Program.run(
            StreamerBinaries.path("packager"),
            [
                "in=\(file),stream=video,init_segment=\(directory.file("init.mp4")),"
                    + "segment_template=\(directory.file("$Number$.m4s")),playlist_name=video.m3u8,"
                    + "iframe_playlist_name=i-frames.m3u8", "--segment_duration", "2", "--hls_master_playlist_output",
                directory.file("index.m3u8"),
            ] + encryption + (encryption.isEmpty ? [] : secret)
        )
        let text = try String(contentsOfFile: directory.file("i-frames.m3u8"), encoding: .utf8)
        try await check(IFramePlaylist(text, base: directory.path + "/"), against: .avc)
    }
}
