import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Recording

/// The bytes of a playlist's lines are known before they are read.
@Suite(.timeLimit(.minutes(5))) struct LinesByteCountTests {
    private static let terms = PastTerms(
        segmentDuration: MediaTime(seconds: 4),
        targetDuration: 6,
        windowDuration: MediaTime(seconds: 28)
    )
    private static let start = RecordedChannel.first * 4

    /// Slots in four blocks, the newest of which is not over.
    private static let files: Result<[String: [UInt8]], any Error> = Result {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 600)
        channel.finish()
        return disk.files
    }

    private static func disk() throws -> MemoryFileSystem { MemoryFileSystem(try files.get()) }

    private static func open(_ disk: any FileSystem) throws -> Recording {
        try Recording.open(
            "live",
            identity: ["clock": "pts"],
            segmentDuration: MediaTime(seconds: 4),
            cache: BlockCache(capacity: 1 << 24),
            fileSystem: disk,
            onEvent: { _ in }
        )
    }

    /// All slots, of a range that grows.
    private static func section(of recording: Recording) throws -> PastSection {
        let now = MediaTime(seconds: start + 2400)
        return try PastSection(.span(start: start, end: nil), in: recording.extent, terms, now: now)
    }

    @Test(arguments: [RecordedChannel.video, RecordedChannel.audio, RecordedChannel.video.iFrames])
    func theTextHasNoMore(id: RenditionID) throws {
        let recording = try Self.open(Self.disk())
        let section = try Self.section(of: recording)
        let byteCount = try recording.linesByteCount(of: id, section, Self.terms)
        let playlist = try recording.playlist(of: id, section, Self.terms, variables: [])
        #expect(playlist.byteCount > 40_000)
        #expect((playlist.byteCount...4 * playlist.byteCount).contains(byteCount))
    }

    @Test func noLinesAreReadForIt() throws {
        let disk = CountingFileSystem(try Self.disk())
        let recording = try Self.open(disk)
        let section = try Self.section(of: recording)
        let before = disk.reads.bytes
        let byteCount = try recording.linesByteCount(of: RecordedChannel.video, section, Self.terms)
        #expect(disk.reads.bytes - before < byteCount / 10)
        let tables = disk.reads.calls
        #expect(try recording.linesByteCount(of: RecordedChannel.video, section, Self.terms) == byteCount)
        #expect(disk.reads.calls == tables, "tables are kept")
    }

    @Test func aDeltaUpdateNeedsTheNewestLines() throws {
        let recording = try Self.open(Self.disk())
        let section = try Self.section(of: recording)
        func byteCount(_ skip: SkipDirective?) throws -> Int {
            try recording.linesByteCount(of: RecordedChannel.video, section, skip: skip, Self.terms)
        }
        let whole = try byteCount(nil)
        #expect(try byteCount(.v2) < whole / 3)
        // This one has the date ranges of the lines that are skipped.
        #expect(try byteCount(.yes) == whole)
    }

    @Test func whatIsNotRecordedCountsAsGaps() throws {
        let recording = try Self.open(Self.disk())
        let section = try Self.section(of: recording)
        let lines = try recording.lines(of: "text-en", in: section.numbers)
        let gaps = lines.reduce(0) { $0 + $1.text.readableBytes }
        #expect(gaps > 40_000)
        #expect(try recording.linesByteCount(of: "text-en", section, Self.terms) >= gaps)
    }
}
