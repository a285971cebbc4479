import TestSupport
import Testing

/// Every picture and every frame of sound of feeds that are hard to package is the feed's, at its time.
@Suite struct OddStreamTests {
    @Test(
        arguments: OddStream.avc + OddStream.aac,
        [SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .sampleAES)]
    )
    func everyFrameIsTheFeeds(stream: OddStream, format: SegmentFormat) async throws {
        let published = try await PackagedFeed([stream.feed], as: format)
        // What is between a frame of the source and the same one as it was published: one number for all tracks.
        var shifts: [Int64] = []
        for video in published.videos {
            let frames = try await published.decoded(video)
            let source = try await FeedStore.shared.decoded(stream.feed)
            #expect(
                frames.difference(from: source, spoiled: format.spoiledPictures, tolerance: stream.tolerance) == nil
            )
            shifts.append(try #require(frames.first).time - #require(source.first).time)
        }
        for (index, audio) in published.audios.enumerated() {
            let (frames, source) =
                stream.soundChanges
                ? (
                    try await published.coded(audio, "a:0"),
                    try await Frames.coded(
                        ["-i", try await FeedStore.shared.file(stream.feed)],
                        "a:\(index)",
                        filter: "aac_adtstoasc"
                    )
                )
                : (
                    try await published.decoded(audio, "a:0"),
                    try await FeedStore.shared.decoded(stream.feed, "a:\(index)")
                )
            #expect(frames.difference(from: source, tolerance: stream.tolerance) == nil)
            shifts.append(try #require(frames.first).time - #require(source.first).time)
        }
        let (least, most) = (try #require(shifts.min()), try #require(shifts.max()))
        #expect(most - least <= stream.tolerance, "pictures and sound are \(most - least) ticks apart")
        await published.packager.end()
    }
}
