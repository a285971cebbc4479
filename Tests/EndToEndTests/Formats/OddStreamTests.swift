import MediaCore
import Playlists
import TestSupport
import Testing

/// Every picture and every frame of audio of feeds that are hard to package is the feed's, at its time.
@Suite struct OddStreamTests {
    private static let cases = (OddStream.avc + OddStream.aac).flatMap { stream in
        [SegmentFormat.Container.fragmentedMP4, .transportStream].flatMap { container in
            [SegmentFormat(container, .none), SegmentFormat(container, .sampleAES)]
        }
        .filter { stream.isDecryptedByFFmpeg || $0 != SegmentFormat(.transportStream, .sampleAES) }
        .map { (stream, $0) }
    }

    @Test(arguments: cases.oneIn(7))
    func everyFrameIsTheFeeds(stream: OddStream, format: SegmentFormat) async throws {
        try await check(stream, as: format)
    }

    private static let casesOfHEVC = OddStream.hevc.flatMap { stream in
        [
            SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES),
            SegmentFormat(.transportStream, .none),
        ]
        .map { (stream, $0) }
    }

    @Test(arguments: casesOfHEVC.oneIn(2))
    func everyFrameOfHEVCIsTheFeeds(stream: OddStream, format: SegmentFormat) async throws {
        try await check(stream, as: format)
    }

    /// Also to FFmpeg's demuxer, which mpv and others have too, and which must not find composition offsets below zero.
    @Test(arguments: [OddStream(.avc), .init(.pyramid), .init(.hevc)], FFmpegGeneration.allCases)
    func theFirstPictureIsShownWhenThePlaylistSays(stream: OddStream, generation: FFmpegGeneration) async throws {
        let published = try await PackagedFeed([stream.feed], as: SegmentFormat(.fragmentedMP4, .none))
        for (rendition, track) in published.tracks(.video) {
            let input = playlistOptions + [published.packager.url(rendition.uri)]
            let first = try #require(try await Frames.coded(input, track, by: generation).map(\.time).min())
            let date = try #require(rendition.playlist.segments.first?.programDateTime)
            // A playlist counts milliseconds.
            #expect(abs(first - date.ticks) <= 90, "\(rendition.uri) is \(first - date.ticks) ticks late")
        }
        await published.packager.end()
    }

    /// Frames of AAC as MP4 has them.
    private static let withoutHeaders = "aac_adtstoasc"

    private func check(_ stream: OddStream, as format: SegmentFormat) async throws {
        let published = try await PackagedFeed([stream.feed], as: format)
        // What is between a frame of the source and the same one as it was published: one number for all tracks.
        var shifts: [Int64] = []
        for video in published.videos {
            let frames = try await published.decoded(video)
            let source = try await FeedStore.shared.decoded(stream.feed)
            #expect(
                frames.difference(from: source, spoiled: format.spoiledUnits, tolerance: stream.tolerance) == nil
            )
            shifts.append(try #require(frames.first).time - #require(source.first).time)
        }
        for (index, (audio, track)) in published.tracks(.audio).enumerated() {
            let (frames, source) =
                stream.audioChanges
                ? (
                    try await published.coded(
                        audio,
                        track,
                        filter: format.container == .transportStream ? Self.withoutHeaders : "null"
                    ),
                    try await Frames.coded(
                        ["-i", try await FeedStore.shared.file(stream.feed)],
                        "a:\(index)",
                        filter: Self.withoutHeaders
                    )
                )
                : (
                    try await published.decoded(audio, track),
                    try await FeedStore.shared.decoded(stream.feed, "a:\(index)")
                )
            // FFmpeg gives the first two frames of a segment of encrypted packed audio one time.
            let isEncryptedPackedAudio = format.spoiledUnits > 0 && audio.uri.hasPrefix("audio")
            let difference = frames.difference(
                from: source,
                spoiled: format.spoiledUnits,
                tolerance: isEncryptedPackedAudio ? 1920 : stream.tolerance
            )
            #expect(difference == nil)
            shifts.append(try #require(frames.first).time - #require(source.first).time)
        }
        let (least, most) = (try #require(shifts.min()), try #require(shifts.max()))
        #expect(most - least <= stream.tolerance, "pictures and audio are \(most - least) ticks apart")
        await published.packager.end()
    }
}
