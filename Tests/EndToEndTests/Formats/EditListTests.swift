import Foundation
import Playlists
import TestSupport
import Testing

/// Files whose edit list begins between key frames: viewers see and hear what FFmpeg makes of the file.
@Suite struct EditListTests {
    /// In 90 kHz ticks, more than all hidden pictures of a group are shown for, and less than any player can show.
    private static let millisecond: Int64 = 90

    /// A stream as FFmpeg shows it: without what the edit list hides.
    private func shown(_ feed: FeedRecipe, _ stream: String) async throws -> [DecodedFrame] {
        try await Frames.shown(["-i", try await FeedStore.shared.file(feed)], stream)
    }

    @Test(
        arguments: [FeedRecipe.cut, .hevcCut],
        [
            SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
            SegmentFormat(.transportStream, .none),
        ]
    )
    func theFirstPictureIsTheFirstThatTheEditListShows(feed: FeedRecipe, format: SegmentFormat) async throws {
        let published = try await PackagedFeed([feed], as: format)
        let source = try await shown(feed, "v:0")
        let frames = try await published.decoded(try #require(published.videos.first))
        let first = try #require(frames.firstIndex { $0.checksum == source.first?.checksum })
        #expect(first > 0, "the feed has hidden pictures")
        #expect(Array(frames[first...]).difference(from: source, tolerance: 2) == nil)
        // What is hidden is decoded, and gone before it can be seen.
        #expect(frames[first].time - frames[0].time < Self.millisecond)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
        await published.packager.end()
    }

    /// One reader for both, who begins where the multivariant playlist does, gives the timestamps.
    @Test(arguments: [SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.transportStream, .none)])
    func audioComesWithThePicturesThatItBelongsTo(format: SegmentFormat) async throws {
        let published = try await PackagedFeed([.cut], as: format)
        let (pictures, frames) = (try await shown(.cut, "v:0"), try await shown(.cut, "a:0"))
        let playlist = playlistOptions + [published.packager.url("index.m3u8")]
        let seen = try await Frames.shown(playlist, "v:0")
        let heard = try await Frames.shown(playlist, "a:0")
        let picture = try #require(pictures.last)
        let audio = try #require(frames.dropLast(2).last)
        let pictureTime = try #require(seen.last { $0.checksum == picture.checksum }).time
        let audioTime = try #require(heard.last { $0.checksum == audio.checksum }).time
        let late = (audioTime - pictureTime) - (audio.time - picture.time)
        #expect(abs(late) <= 4, "\(late) ticks of 90 kHz")
        // No frame of audio is missing but the one that the first picture cuts through.
        #expect(heard.count >= frames.count - 1)
        let (firstHeard, firstSeen) = (try #require(heard.first), try #require(seen.first))
        let start = firstHeard.time - firstSeen.time
        #expect(start < 2000, "audio begins within a frame of it")
        await published.packager.end()
    }

    /// Each round begins with the pictures that the edit list hides, and lasts as long for both tracks.
    @Test(arguments: [SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.transportStream, .none)])
    func aLoopShowsNoMoreThanTheEditListDoes(format: SegmentFormat) async throws {
        let file = try await FeedStore.shared.file(.cut)
        let packager = try await PackagerProcess(
            ["--input", file, "--loop", "--segment-duration", "2", "--window", "60"] + format.options
        )
        let frames = try await firstSegments(of: packager, "video-180p", "v:0")
        let source = try await shown(.cut, "v:0").map(\.checksum)
        // The last picture of a round lasts as long as its audio.
        let visible = zip(frames, frames.dropFirst()).filter { $1.time - $0.time > Self.millisecond }.map(\.0)
        #expect(visible.count > source.count + 50)
        #expect(Frames.isRun(visible.map(\.checksum), of: source))
        let seams = zip(visible, visible.dropFirst()).filter { $0.checksum != source.last && $1.time - $0.time != 3600 }
        #expect(seams.isEmpty)
        let audio = format.container == .fragmentedMP4 ? "audio-en" : "video-180p"
        let heard = try await firstSegments(of: packager, audio, "a:0")
        let frame = try #require(try await shown(.cut, "a:0").dropFirst(20).first)
        let rounds = (visible.round(of: source[20]), heard.round(of: frame.checksum))
        #expect(
            abs(try #require(rounds.0) - (try #require(rounds.1))) < Self.millisecond,
            "both tracks start over together"
        )
        await packager.end()
    }

    /// Returns the frames of the first five segments of a rendition, once there are so many.
    private func firstSegments(
        of packager: PackagerProcess,
        _ rendition: String,
        _ stream: String
    ) async throws -> [DecodedFrame] {
        let playlist = try await packager.mediaPlaylist(rendition, "two rounds") { $0.segments.count >= 5 }
        #expect(playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity })
        let directory = try TemporaryDirectory()
        var ended = try #require(playlist.periods(base: packager.url("").dropLast().description).first)
        ended.segments = Array(ended.segments.prefix(5))
        return try await Frames.shown(playlistOptions + [directory.write(ended.render(), to: "rounds.m3u8")], stream)
    }
}

extension [DecodedFrame] {
    /// The time after its first appearance at which a frame comes again.
    fileprivate func round(of checksum: String) -> Int64? {
        let times = filter { $0.checksum == checksum }.map(\.time)
        return times.count > 1 ? times[1] - times[0] : nil
    }
}
