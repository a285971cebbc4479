import Playlists
import TestSupport
import Testing

/// Feeds that have recovery points and no IDR pictures are packaged from the first of them on.
@Suite struct RecoveryPointTests {
    @Test(arguments: [
        SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
        SegmentFormat(.transportStream, .none), SegmentFormat(.transportStream, .sampleAES),
    ])
    func everyPictureFromTheFirstRecoveryPointOnIsTheFeeds(format: SegmentFormat) async throws {
        let published = try await PackagedFeed([.withoutIDR], as: format)
        let source = try await FeedStore.shared.decoded(.recoveryPoints)
        let video = try #require(published.videos.first)
        let frames = try await published.decoded(video)
        // Two seconds are not in the feed, and what leads the first recovery point cannot be decoded.
        let difference = frames.difference(from: source, skipped: 80, spoiled: format.spoiledUnits, tolerance: 2)
        #expect(difference == nil)
        #expect(source.count - frames.count >= 50)
        #expect(video.playlist.segments.count >= 2 && video.playlist.segments.allSatisfy { !$0.isGap })
        // What leads the recovery points needs the segment before.
        let multivariant = try await published.packager.text("index.m3u8")
        #expect(!multivariant.contains("#EXT-X-INDEPENDENT-SEGMENTS"))
        // Each segment starts with a picture for trick play, too.
        let variant = try #require(published.multivariant.iFrameVariants.first)
        let iFrames = IFramePlaylist(try await published.packager.text(variant.uri), base: "")
        #expect(iFrames.entries.count == video.playlist.segments.count)
        #expect(iFrames.entries.allSatisfy { $0.hasByteRange })
        let log = published.packager.program.errors + published.packager.program.output
        #expect(log.contains("a segment starts with a recovery point instead of an IDR picture"))
        await published.packager.end()
    }

    /// A wave of intra macroblocks takes less than a second of the feed to go through the picture.
    @Test(arguments: [SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.transportStream, .none)])
    func withoutKeyFramesEveryPictureIsTheFeedsOnceARefreshIsComplete(format: SegmentFormat) async throws {
        let published = try await PackagedFeed([.intraRefreshWithoutIDR], as: format)
        let video = try #require(published.videos.first)
        #expect(video.playlist.segments.count >= 2 && video.playlist.segments.allSatisfy { !$0.isGap })
        let source = try await FeedStore.shared.decoded(.intraRefresh)
        let frames = try await published.decoded(video)
        #expect(frames.difference(from: source, skipped: 100, settling: 25, tolerance: 2) == nil)
        // Of the four seconds that are left of the feed, a decoder shows all but those of the first refresh.
        #expect(frames.count >= 70)
        let multivariant = try await published.packager.text("index.m3u8")
        #expect(!multivariant.contains("#EXT-X-INDEPENDENT-SEGMENTS"))
        let variants = published.multivariant.iFrameVariants
        for variant in variants {
            let iFrames = IFramePlaylist(try await published.packager.text(variant.uri), base: "")
            #expect(iFrames.entries.isEmpty, "no picture stands for itself")
        }
        let log = published.packager.program.errors + published.packager.program.output
        #expect(log.contains("the encoder refreshes the picture bit by bit"))
        await published.packager.end()
    }
}
