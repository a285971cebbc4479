import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

/// Ranges that begin and end where nothing was recorded for longer than a block.
@Suite(.timeLimit(.minutes(5))) struct HoledRangeTests {
    private static let terms = PastTerms(
        segmentDuration: MediaTime(seconds: 4),
        targetDuration: 6,
        windowDuration: MediaTime(seconds: 28)
    )

    /// A recording with five slots from each of some places on.
    private static func recording(_ places: [Int64]) throws -> Recording {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        for place in places {
            let count = RecordedChannel.first + place - channel.number
            if count > 0 { try channel.skip(count) }
            try channel.publish(count: 5)
            channel.finish()
        }
        return channel.recording
    }

    @Test func whatIsThereInBetweenCanBeWatched() throws {
        // Blocks begin 32 slots behind the first one, and every 256 from there on.
        let recording = try Self.recording([0, 300, 810])
        let (start, end) = ((RecordedChannel.first + 40) * 4, (RecordedChannel.first + 700) * 4)
        let section = try PastSection(
            .span(start: start, end: end),
            in: recording.extent,
            Self.terms,
            now: MediaTime(seconds: end + 10_000)
        )
        #expect(section.phase == .onDemand)
        let variants = try recording.multivariant(.everyPlayer, section).variants
        #expect(!variants.isEmpty)
        for id in [RecordedChannel.video, RecordedChannel.audio, RecordedChannel.video.iFrames] {
            let playlist = try recording.playlist(of: id, section, Self.terms, variables: [])
            let segments = try MediaPlaylist(parsing: String(buffer: playlist.body)).segments
            let recorded = segments.filter { !$0.isGap }
            #expect(segments.count == 660 && recorded.count == 5, "\(id)")
        }
        #expect(throws: PastRefusal.unknownRendition) {
            try recording.playlist(of: "video-720p", section, Self.terms, variables: [])
        }
    }
}
