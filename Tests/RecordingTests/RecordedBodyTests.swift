import Files
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

/// The bytes that recorded lines name are those that were published.
@Suite(.timeLimit(.minutes(5))) struct RecordedBodyTests {
    /// A recording in the process that has made it, and its files.
    private struct Recorded: Sendable {
        var recording: Recording
        var files: [String: [UInt8]]
        var numbers: Range<MediaSequenceNumber>

        /// The recording, and the same as the next process opens it.
        var both: [Recording] {
            get throws { [recording, try MemoryFileSystem(files).openRecording()] }
        }
    }

    private static let recorded: Result<Recorded, any Error> = Result {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        for index in 0..<300 {
            try channel.publish(gaps: index == 7 ? [RecordedChannel.audio] : [], period: Int64(index / 100))
        }
        channel.finish()
        return Recorded(recording: channel.recording, files: disk.files, numbers: channel.numbers)
    }

    @Test func everyPathHasItsBytes() throws {
        let recorded = try Self.recorded.get()
        for recording in try recorded.both {
            for slot in try recording.slots(in: recorded.numbers) {
                for (id, segment) in slot.segments {
                    let body = try recording.body(segment.line.uri)
                    #expect(segment.line.isGap == (body == nil))
                    if let body {
                        #expect(try body.read() == RecordedChannel.bytes(id, slot.number.value))
                        #expect(body.entityTag == segment.entityTag)
                        #expect(body.kind == segment.kind)
                        #expect(
                            try body.read(1..<3)
                                == RecordedChannel.bytes(id, slot.number.value).getSlice(at: 1, length: 2)
                        )
                    }
                    let map = try #require(segment.line.map)
                    let section = try #require(try recording.body(map.uri))
                    #expect(section.entityTag == segment.mapEntityTag)
                    #expect(section.kind == segment.kind)
                    #expect(try section.read() == ByteBuffer(string: "\(id) \(map.uri.split(separator: "/")[1])"))
                }
            }
        }
    }

    @Test(
        arguments: [
            "", "/", "video-1080p", "video-1080p/", "video-1080p/../../recording.json", "../live/recording.json",
            "video-1080p/448812000.mp4", "video-1080p/0448812000.m4s", "video-1080p/448811999.m4s",
            "video-1080p/448812300.m4s", "video-1080p/9223372036854775807.m4s", "video-1080p/-1.m4s",
            "video-1080p-iframes/448812000.m4s", "video-720p/448812000.m4s", "video-1080p/init-9-9.mp4",
            "video-1080p/448812000.m4s/", "init/video-1080p/init-1-0.mp4", "audio-en/448812007.m4s",
        ]
    )
    func aPathThatWasNotRecordedHasNone(path: String) throws {
        for recording in try Self.recorded.get().both { #expect(try recording.body(path) == nil) }
    }

    /// In a block that is over, in the newest, and among initialization sections.
    @Test(arguments: ["\(RecordedChannel.first).m4s", "\(RecordedChannel.first + 290).m4s", "init-1-0.mp4"])
    func whatCannotBeReadIsReported(name: String) throws {
        let (disk, events) = (MemoryFileSystem(), Events())
        var channel = RecordedChannel(try disk.openRecording(onEvent: events.append), window: 24)
        try channel.publish(count: 300)
        channel.finish()
        let recording = channel.recording
        let body = try #require(try recording.body("video-1080p/\(name)"))
        disk.state.withLock { $0.unreadable[body.file] = EIO }
        for _ in 0..<3 { #expect(throws: FileError.self) { try body.read() } }
        recording.prune(now: .zero)
        #expect(recording.health.problem?.contains(body.file.replacing("/./", with: "/")) == true)
        #expect(events.all.count == 1 && "\(events.all)".contains("some of the recording cannot be served"))
        disk.state.withLock { $0.unreadable = [:] }
        #expect(try body.read().readableBytes == body.byteCount)
        recording.prune(now: .zero)
        #expect(recording.health.isHealthy && events.all.last == .ended(.reading))
    }

    @Test func filesThatAreGoneAreReportedUnlessTheirBlockWasRemoved() throws {
        let (disk, events) = (MemoryFileSystem(), Events())
        let limits = RecordingLimits(age: MediaTime(seconds: 1000))
        var channel = RecordedChannel(try disk.openRecording(limits: limits, onEvent: events.append), window: 24)
        try channel.publish(count: 300)
        channel.finish()
        let bodies = try [Int64(0), 290].map { offset in
            try #require(try channel.recording.body("video-1080p/\(RecordedChannel.first + offset).m4s"))
        }
        channel.recording.prune(now: MediaTime(seconds: (RecordedChannel.first + 32) * 4 + 1000))
        #expect(throws: FileError.self) { try bodies[0].read() }
        #expect(channel.recording.health.isHealthy && events.all.isEmpty)
        disk.remove(all: "video-1080p.media")
        #expect(throws: FileError.self) { try bodies[1].read() }
        #expect(channel.recording.health.problem?.contains("video-1080p.media") == true)
    }

    @Test func theRecorderIsAStoreOfBodies() throws {
        let before = RecordedChannel.first
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        let recorder = channel.recorder
        #expect(recorder.holds("video-1080p/\(before).m4s") == nil)
        for index in 0..<300 { try channel.publish(gaps: index == 290 ? [RecordedChannel.audio] : []) }
        channel.finish()
        // In a block that is over, and in the newest.
        for number in [before, before + 290] {
            #expect(recorder.holds("video-1080p/\(number).m4s") == true)
            let bytes = RecordedChannel.bytes(RecordedChannel.video, number)
            #expect(try recorder.read("video-1080p/\(number).m4s", 0..<5) == bytes.getSlice(at: 0, length: 5))
        }
        #expect(recorder.holds("audio-en/\(before + 290).m4s") == false)
        #expect(recorder.holds("video-1080p/\(before - 1).m4s") == false)
        #expect(recorder.holds("video-1080p/\(before + 300).m4s") == nil)
        #expect(throws: (any Error).self) { try recorder.read("video-1080p/\(before + 300).m4s", 0..<5) }
    }

    /// Slots of an earlier process that it could not record stay where they are.
    @Test func theStoreKnowsWhatItLacks() throws {
        let disk = MemoryFileSystem()
        var first = RecordedChannel(try disk.openRecording())
        for index in 0..<40 {
            // Full for two slots of the first block, and for one of the second.
            let isFull = (5..<7).contains(index) || index == 35
            disk.state.withLock { $0.capacity = isFull ? 0 : .max }
            try first.publish()
        }
        first.finish()
        func held(_ recorder: Recorder) -> [Int64] {
            (0..<40).filter { recorder.holds("video-1080p/\(RecordedChannel.first + $0).m4s") == true }
        }
        let there = (0..<40).filter { ![5, 6, 35].contains($0) }.map(Int64.init)
        #expect(held(first.recorder) == there)
        let second = RecordedChannel(try disk.openRecording(), first: first.number)
        let restored = first.presentation.restorable
        #expect(second.presentation.restore(restored, now: MediaTime(seconds: first.number * 4)) == 40)
        second.presentation.finish()
        #expect(held(second.recorder) == there)
    }

    /// A process that ends before viewers see a slot has recorded it; the next one may have other bytes for it.
    @Test func aSlotThatComesAgainWithOtherBytesTakesThePlaceOfTheFirst() throws {
        let disk = MemoryFileSystem()
        var first = RecordedChannel(try disk.openRecording())
        try first.publish(count: 5)
        first.finish()
        let last = RecordedChannel.first + 4
        var second = RecordedChannel(try disk.openRecording(), first: last)
        try second.publish(byteCount: 9)
        try second.publish()
        second.finish()
        for recording in [second.recording, try disk.openRecording()] {
            #expect(recording.extent == second.numbers)
            for number in second.numbers {
                let bytes = RecordedChannel.bytes(RecordedChannel.video, number.value, number.value == last ? 9 : 0)
                #expect(try recording.bytes("video-1080p/\(number).m4s") == bytes)
            }
            let segments = try recording.playlist(RecordedChannel.video, second.numbers).segments
            #expect(segments.count == 6 && segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity })
        }
    }

    /// A disk may be away for a moment as the next process has other bytes for a slot of an older block.
    @Test func aSlotWhoseBlockCannotBeReadIsMissed() throws {
        let disk = MemoryFileSystem()
        var first = RecordedChannel(try disk.openRecording())
        try first.publish(count: 40)
        first.finish()
        let events = Events()
        let recording = try disk.openRecording(onEvent: events.append)
        disk.state.withLock { $0.unreadable["live/./\(RecordedChannel.first / 256)/index"] = EIO }
        var second = RecordedChannel(recording, first: RecordedChannel.first + 30)
        try second.publish(byteCount: 9)
        second.finish()
        #expect(recording.statistics.written == 0 && recording.statistics.unwritten == 1)
        let isToldOf = events.all.contains { if case .began(.writing, _) = $0 { true } else { false } }
        #expect(isToldOf, "\(events.all)")
        disk.state.withLock { $0.unreadable = [:] }
        var third = RecordedChannel(try disk.openRecording(), first: RecordedChannel.first + 30)
        try third.publish(byteCount: 9)
        third.finish()
        #expect(third.recording.statistics.written == 1)
        let bytes = RecordedChannel.bytes(RecordedChannel.video, RecordedChannel.first + 30, 9)
        #expect(try third.recording.bytes("video-1080p/\(RecordedChannel.first + 30).m4s") == bytes)
    }
}
