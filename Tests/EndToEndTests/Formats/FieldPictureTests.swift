import TestSupport
import Testing

/// H.264 whose fields are pictures of their own, in packets of their own.
@Suite struct FieldPictureTests {
    @Test(arguments: [FeedRecipe.fields, .fieldPairs], [SegmentFormat.Encryption.none, .sampleAES])
    func bothFieldsOfAFrameAreOneSample(feed: FeedRecipe, encryption: SegmentFormat.Encryption) async throws {
        let published = try await PackagedFeed([feed], as: SegmentFormat(.fragmentedMP4, encryption))
        let video = try #require(published.videos.first)
        let source = try await FeedStore.shared.decoded(feed)
        #expect(try await published.coded(video, "v:0").count == source.count)
        #expect(try await published.decoded(video).difference(from: source, tolerance: 2) == nil)
        await published.packager.end()
    }
}
