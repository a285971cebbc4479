import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Playlists

/// Several rungs make one channel, whose segments start at the same picture.
@Suite struct LadderTests {
    @Test(
        arguments: [FeedRecipe.ladder, [.ladderOfOne]],
        [
            SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
            SegmentFormat(.transportStream, .none), SegmentFormat(.transportStream, .sampleAES),
        ]
    )
    func rungsAreCutAtTheSamePictures(feeds: [FeedRecipe], format: SegmentFormat) async throws {
        let published = try await PackagedFeed(feeds, as: format)
        #expect(published.videos.count == 3)
        let first = try #require(published.videos.first).playlist
        for (index, video) in published.videos.enumerated() {
            // One frame of tolerance; files of one length, one start and one frame rate have none.
            #expect(video.playlist.segments.map(\.programDateTime) == first.segments.map(\.programDateTime))
            #expect(video.playlist.mediaSequence == first.mediaSequence)
            let height = try #require(published.multivariant.variants.first { $0.uri == video.uri }?.resolution?.height)
            let source = try #require(try await sources(feeds).first { $0.height == height })
            let frames = try await published.decoded(video)
            #expect(frames.difference(from: source.frames, spoiled: format.spoiledUnits) == nil, "rung \(index)")
        }
        let bandwidths = published.multivariant.variants.map(\.bandwidth)
        #expect(bandwidths == bandwidths.sorted(by: >) || bandwidths == bandwidths.sorted())
        await published.packager.end()
    }

    @Test func eachVariantOfAMixedLadderNamesItsOwnCodecs() async throws {
        let feeds = FeedRecipe.ladder.prefix(2) + [.hevcRung]
        let published = try await PackagedFeed(Array(feeds), as: SegmentFormat(.fragmentedMP4, .none))
        let variants = published.multivariant.variants
        let names = ["video-180p.m3u8", "video-270p.m3u8", "video-270p-hevc.m3u8"]
        #expect(Set(variants.map(\.uri)) == Set(names))
        for variant in variants {
            let isHEVC = variant.uri.hasSuffix("-hevc.m3u8")
            #expect(variant.codecs.compactMap { CodecName($0)?.codec } == [isHEVC ? "hevc" : "h264", "aac"])
            #expect(variant.audioGroup != nil)
        }
        let starts = published.videos.map { $0.playlist.segments.map(\.programDateTime) }
        #expect(starts.count == 3 && Set(starts).count == 1)
        await published.packager.end()
    }

    @Test func keyFramesThatAreNotAlignedAreSaidWithTheirOffset() async throws {
        let published = try await PackagedFeed(
            [FeedRecipe.ladder[0], .misalignedRung],
            as: SegmentFormat(.fragmentedMP4, .none)
        )
        let errors = published.packager.program.errors
        #expect(errors.contains("not aligned") && errors.contains("400 ms"), "\(errors)")
        await published.packager.end()
    }

    private func sources(_ feeds: [FeedRecipe]) async throws -> [(height: Int, frames: [DecodedFrame])] {
        var found: [(height: Int, frames: [DecodedFrame])] = []
        for feed in feeds {
            let input = ["-i", try await FeedStore.shared.file(feed)]
            let streams = try await ProbedStream.streams(of: input).filter { $0.codecType == "video" }
            for (index, stream) in streams.enumerated() {
                found.append((stream.height ?? 0, try await FeedStore.shared.decoded(feed, "v:\(index)")))
            }
        }
        return found
    }
}
