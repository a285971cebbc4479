import MediaCore
import NIOCore
import Presentation
import TestSupport
import Testing

@testable import Playlists
@testable import Recording

/// Ranges in which bit rates and renditions change.
@Suite(.timeLimit(.minutes(5))) struct DeclaredRangeTests {
    private static let terms = PastTerms(
        segmentDuration: MediaTime(seconds: 4),
        targetDuration: 6,
        windowDuration: MediaTime(seconds: 28)
    )
    private static let visitor: RenditionID = "audio-de"
    /// The slots of the visitor, counted from the first.
    private static let visit: Range<Int64> = 300..<308

    /// A recording of 608 slots, in the midst of which segments are heavier and a second audio is there.
    private static func recording() throws -> Recording {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        let ids = [RecordedChannel.video, RecordedChannel.audio]
        try channel.publish(count: 300)
        channel.declare(ids + [visitor])
        for _ in visit { try channel.publish(ids + [visitor], byteCount: 100_000) }
        channel.declare(ids)
        try channel.publish(count: 300)
        channel.finish()
        return channel.recording
    }

    private static func section(_ slots: Range<Int64>, _ recording: Recording) throws -> PastSection {
        let end = (RecordedChannel.first + slots.upperBound) * 4
        return try PastSection(
            .span(start: (RecordedChannel.first + slots.lowerBound) * 4, end: end),
            in: recording.extent,
            Self.terms,
            now: MediaTime(seconds: end + 10_000)
        )
    }

    @Test func aRangeDeclaresAllOfItsTime() throws {
        let recording = try Self.recording()
        let start = try recording.multivariant(.everyPlayer, try Self.section(0..<200, recording))
        let whole = try recording.multivariant(.everyPlayer, try Self.section(0..<608, recording))
        #expect(start.renditions.map(\.uri) == ["audio-en.m3u8"])
        #expect(whole.renditions.map(\.uri) == ["audio-en.m3u8", "audio-de.m3u8"])
        let (light, heavy) = (try #require(start.variants.first), try #require(whole.variants.first))
        #expect(start.variants.count == 1 && whole.variants.count == 1)
        // Video and audio of 100 kB in 4 s.
        #expect(light.bandwidth < 10_000 && heavy.bandwidth > 400_000, "\(light.bandwidth) \(heavy.bandwidth)")
        #expect((heavy.averageBandwidth ?? 0) > (light.averageBandwidth ?? 0))
    }

    @Test func aRenditionThatCameAndWentCanBeWatched() throws {
        let recording = try Self.recording()
        let section = try Self.section(0..<608, recording)
        let playlist = try recording.playlist(of: Self.visitor, section, Self.terms, variables: [])
        let segments = try MediaPlaylist(parsing: String(buffer: playlist.body)).segments
        #expect(segments.map(\.isGap) == (0..<608).map { !Self.visit.contains($0) })
        #expect(throws: PastRefusal.unknownRendition) {
            try recording.playlist(of: Self.visitor, try Self.section(0..<200, recording), Self.terms, variables: [])
        }
    }

    @Test func whatAGrowingRangeDeclaresOnlyGrows() throws {
        let recording = try Self.recording()
        var section = try Self.section(0..<608, recording)
        section.phase = .growing
        var before: MultivariantPlaylist?
        for count in stride(from: Int64(8), through: 608, by: 4) {
            let first = section.numbers.lowerBound
            section.numbers = first..<first.advanced(by: count)
            let playlist = try recording.multivariant(.everyPlayer, section)
            if let before {
                let pairs = zip(playlist.variants, before.variants)
                #expect(pairs.allSatisfy { $0.bandwidth >= $1.bandwidth && $0.codecs.starts(with: $1.codecs) })
                #expect(playlist.renditions.starts(with: before.renditions), "\(count) slots")
            }
            before = playlist
        }
        #expect(before?.renditions.count == 2)
    }
}
