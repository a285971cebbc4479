import Playlists
import TestSupport
import Testing

/// Audio that players may not have becomes AAC, at the same time and as long.
///
/// An encoder's output depends on all earlier input, so it is not compared with the source frame by frame.
@Suite struct TranscodedAudioTests {
    @Test(
        arguments: [(FeedRecipe.mp2, ["audio-en.m3u8"]), (.ac3, ["audio-en.m3u8", "audio-en-ac3.m3u8"])],
        [
            SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
            SegmentFormat(.transportStream, .none), SegmentFormat(.transportStream, .sampleAES),
        ]
    )
    func audioBecomesAAC(source: (feed: FeedRecipe, renditions: [String]), format: SegmentFormat) async throws {
        let published = try await PackagedFeed([source.feed], as: format, transcoding: "automatic")
        let isMuxed = format.container == .transportStream && source.renditions.count == 1
        #expect(published.audios.map(\.uri).sorted() == (isMuxed ? [] : source.renditions.sorted()))
        let codecs = Set(published.multivariant.variants.flatMap(\.codecs).filter { $0.hasPrefix("mp4a") })
        #expect(codecs == ["mp4a.40.2"])

        let (rendition, stream) = try #require(
            published.tracks(.audio).first { isMuxed || $0.rendition.uri == "audio-en.m3u8" }
        )
        let audio = try await published.decoded(rendition, stream)
        let pictures = try await published.decoded(try #require(published.videos.first))
        let original = try await FeedStore.shared.decoded(source.feed, "a:0")
        let originalPictures = try await FeedStore.shared.decoded(source.feed)
        let length = try #require(audio.last).time - #require(audio.first).time
        let originalLength = try #require(original.last).time - #require(original.first).time
        // Frames of AAC last 1920 ticks, those of the others up to 2880.
        #expect(abs(length - originalLength) <= 2880 + Int64(format.spoiledUnits) * 1920)
        let ahead = try #require(audio.first).time - #require(pictures.first).time
        let originallyAhead = try #require(original.first).time - #require(originalPictures.first).time
        #expect(abs(ahead - originallyAhead) <= 1920, "audio is \(ahead - originallyAhead) ticks late")
        // It rises: no two frames of it are alike, as those of silence are.
        #expect(Set(audio.map(\.checksum)).count == audio.count)
        await published.packager.end()
    }
}
