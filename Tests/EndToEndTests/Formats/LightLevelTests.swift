import Playlists
import TestSupport
import Testing

/// HDR10 whose light levels change from scene to scene is one programme to a decoder.
@Suite struct LightLevelTests {
    @Test(arguments: [
        SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
        SegmentFormat(.transportStream, .none),
    ])
    func otherLightLevelsAreNoOtherConfiguration(format: SegmentFormat) async throws {
        let rotation = format.encryption == .none ? [] : ["--key-rotation", "2"]
        let published = try await PackagedFeed([.otherLightLevels], as: format, options: rotation)
        let video = try #require(published.videos.first)
        let segments = video.playlist.segments
        #expect(segments.count >= 4 && segments.allSatisfy { !$0.startsDiscontinuity && !$0.isGap })
        // One initialization section for each key.
        #expect(
            Set(segments.compactMap(\.map)).count
                >= (format.container == .fragmentedMP4 ? Set(segments.map(\.keys)).count : 0)
        )
        let source = try await FeedStore.shared.decoded(.otherLightLevels)
        #expect(try await published.decoded(video).difference(from: source, tolerance: 2) == nil)
        await published.packager.end()
    }
}
