import Files
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Recording

/// A recording that is read beside the process that writes it, or when there is none any more.
@Suite(.timeLimit(.minutes(5))) struct RecordingReaderTests {
    private static let video = RecordedChannel.video

    private static func reader(
        _ disk: MemoryFileSystem,
        channel: String = "live"
    ) throws(RecordingError) -> RecordingReader {
        try RecordingReader("live", channel: channel, fileSystem: disk)
    }

    @Test func itHasWhatTheRecordingHasAndChangesNothing() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 40)
        try channel.skip(300)
        for period in 0..<40 { try channel.publish(period: Int64(period / 20)) }
        channel.finish()
        let (recording, numbers, files) = (channel.recording, channel.numbers, disk.files)
        disk.state.withLock { $0.failure = EROFS }
        let reader = try Self.reader(disk)
        #expect(reader.extent == numbers && reader.segmentDuration == MediaTime(seconds: 4))
        let slots = try recording.slots(in: numbers)
        #expect(slots.count == 80)
        #expect(try reader.slots(in: numbers) == slots)
        let declarations = try recording.declarations(in: numbers)
        #expect(!declarations.isEmpty)
        #expect(try reader.declarations(in: numbers) == declarations)
        for segment in slots.flatMap(\.segments.values) {
            for path in [segment.line.uri, segment.line.map?.uri ?? ""] {
                let bytes = try #require(try recording.bytes(path))
                #expect(try reader.body(path)?.read() == bytes, "\(path)")
            }
        }
        #expect(try reader.body("video-1080p/\(RecordedChannel.first + 100).m4s") == nil)
        #expect(try reader.body("../recording.json") == nil)
        #expect(disk.files == files)
        // The channel goes on.
        disk.state.withLock { $0.failure = nil }
        try channel.publish(count: 3)
        channel.finish()
        #expect(reader.extent == numbers)
        #expect(try reader.slots(in: channel.numbers) == slots)
        #expect(try Self.reader(disk).extent == channel.numbers)
    }

    @Test func newestSlotsWithoutTheirBytesAreLeftOut() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try channel.publish(count: 5)
        channel.finish()
        disk.change(all: "video-1080p.media") { $0.removeLast(4) }
        let files = disk.files
        let reader = try Self.reader(disk)
        #expect(reader.extent?.count == 4)
        #expect(try reader.slots(in: channel.numbers).count == 4)
        #expect(disk.files == files)
    }

    /// The segment is not read into memory.
    @Test func aSegmentBeyondReasonIsRefused() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try channel.publish(count: 40)
        channel.finish()
        var slot = try #require(try channel.recording.slots(in: channel.numbers).first)
        slot.segments[Self.video]?.byteCount = 1 << 35
        var writer = try BlockWriter(
            BlockNumber(of: slot.number),
            head: BlockHead(first: slot.number, discontinuities: 0),
            paths: RecordingPaths(directory: "live/."),
            fileSystem: disk
        )
        try writer.append(.slot(SlotRecord(slot, after: nil), offsets: [Self.video: 0, RecordedChannel.audio: 0]))
        let reader = try Self.reader(disk)
        #expect(try reader.body("audio-en/\(slot.number).m4s") != nil)
        let error = #expect(throws: RecordingError.self) { try reader.body("video-1080p/\(slot.number).m4s") }
        #expect(error?.description.contains("more bytes than any segment") == true)
    }

    private static func problem(_ document: String?) -> String? {
        let disk = MemoryFileSystem(document.map { ["live/./recording.json": Array($0.utf8)] } ?? [:])
        do throws(RecordingError) {
            _ = try reader(disk)
            return nil
        } catch {
            return error.description
        }
    }

    private static func document(name: String, ticks: Int64) -> String {
        #"{"version":1,"identity":{"name":"\#(name)"},"segmentDuration":\#(ticks)}"#
    }

    @Test func otherDirectoriesAreRefusedInWords() throws {
        #expect(Self.problem(nil)?.contains("no recording.json") == true)
        #expect(Self.problem("mine")?.contains("by other software") == true)
        #expect(Self.problem("")?.contains("damaged") == true)
        #expect(Self.problem(#"{"version":2,"identity":"in another form"}"#)?.contains("is of version 2") == true)
        #expect(Self.problem(Self.document(name: "other", ticks: 360_000))?.contains("it is that of other") == true)
        for ticks in [Int64.min, -1, 0, 1, 1 << 40, .max] {
            #expect(
                Self.problem(Self.document(name: "live", ticks: ticks))?.contains("segment duration") == true,
                "\(ticks)"
            )
        }
        #expect(Self.problem(Self.document(name: "live", ticks: 360_000)) == nil)
    }

    @Test func aDirectoryThatCannotBeReadIsRefusedInWords() throws {
        let disk = MemoryFileSystem()
        disk.state.withLock { $0.unreadable["live/./recording.json"] = EACCES }
        let error = #expect(throws: RecordingError.self) { try Self.reader(disk) }
        #expect(error?.description.contains("Permission denied") == true)
    }

    @Test func nothingIsRecordedYet() throws {
        let disk = MemoryFileSystem()
        try disk.openRecording().close()
        let reader = try Self.reader(disk)
        #expect(reader.extent == nil)
        let first = MediaSequenceNumber(RecordedChannel.first)
        #expect(try reader.slots(in: first..<first.next).isEmpty)
        #expect(try reader.body("video-1080p/\(first).m4s") == nil)
    }
}
