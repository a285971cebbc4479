import Dispatch
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

/// The oldest blocks go: by age, by size, and where the disk is full.
@Suite(.timeLimit(.minutes(5))) struct RecordingRetentionTests {
    /// The files of a recording of 32 slots, two blocks and 56 slots.
    private static let files: Result<[String: [UInt8]], any Error> = Result {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        for index in 0..<600 { try channel.publish(fingerprint: index < 100 ? "old" : "new") }
        channel.finish()
        return disk.files
    }

    private static let numbers =
        MediaSequenceNumber(RecordedChannel.first)..<MediaSequenceNumber(RecordedChannel.first + 600)

    private static func blocks(_ disk: MemoryFileSystem) -> [String] {
        disk.list("live/.").filter { Int64($0) != nil }.sorted()
    }

    @Test func blocksBeyondAnAgeGo() throws {
        let disk = MemoryFileSystem(try Self.files.get())
        let recording = try disk.openRecording(limits: RecordingLimits(age: MediaTime(seconds: 1000)))
        let first = RecordedChannel.first
        func prune(_ offset: Int64) -> Int64? {
            recording.prune(now: MediaTime(seconds: (first + offset) * 4 + 1000))
            return recording.extent.map { $0.lowerBound.value - first }
        }
        let lines = try recording.playlist(RecordedChannel.video, Self.numbers)
        let early = [31, 32, 287].map { prune($0) }
        #expect(early == [0, 32, 32])
        // The newest slots of the block are young enough until now.
        #expect(Self.blocks(disk).count == 3)
        #expect(disk.files.keys.contains { $0.hasSuffix("init/video-1080p/init-old-0.mp4") })
        let later = prune(288)
        #expect(later == 288)
        #expect(Self.blocks(disk).count == 2)
        // Nothing needs it any more.
        #expect(!disk.files.keys.contains { $0.contains("init-old-0.mp4") })
        #expect(try recording.body("video-1080p/init-old-0.mp4") == nil)
        #expect(try recording.body("video-1080p/init-new-0.mp4") != nil)
        #expect(try recording.body("video-1080p/\(first + 287).m4s") == nil)
        let last = prune(1_000_000)
        #expect(last == 544)
        #expect(recording.statistics.removedBlocks == 3)
        for recording in [recording, try disk.openRecording()] {
            let rest = try recording.playlist(RecordedChannel.video, Self.numbers)
            #expect(rest.segments == Array(lines.segments[544...]))
        }
    }

    /// The clock was an hour ahead when the recording began, and was set back: slots have lower numbers from then on.
    @Test func slotsBeforeTheFirstBelongToTheRecordingAndGoInTheirTurn() throws {
        let disk = MemoryFileSystem()
        let first = RecordedChannel.first
        var ahead = RecordedChannel(try disk.openRecording(), first: first + 900)
        for _ in 0..<20 { try ahead.publish() }
        ahead.finish()
        let recording = try disk.openRecording(limits: RecordingLimits(age: MediaTime(seconds: 1000)))
        var channel = RecordedChannel(recording, window: 24)
        for _ in 0..<100 { try channel.publish() }
        #expect(recording.extent?.contains(MediaSequenceNumber(first + 50)) == true)
        recording.prune(now: MediaTime(seconds: (first + 32) * 4 + 1000))
        #expect(recording.extent?.lowerBound == MediaSequenceNumber(first + 32))
        #expect(Self.blocks(disk).count == 2)
    }

    /// Finished recordings lie beside the blocks.
    @Test func finishedRecordingsStay() throws {
        let asset = ["live/./recordings/a/index.m3u8": Array("#EXTM3U\n".utf8)]
        let disk = MemoryFileSystem(try Self.files.get().merging(asset) { $1 })
        let recording = try disk.openRecording(limits: RecordingLimits(age: MediaTime(seconds: 1000)))
        #expect(Self.blocks(disk).count == 4)
        recording.prune(now: MediaTime(seconds: (RecordedChannel.first + 1_000_000) * 4))
        #expect(Self.blocks(disk).count == 1)
        #expect(disk.files.filter { $0.key.contains("/recordings/") } == asset)
    }

    @Test func blocksBeyondASizeGo() throws {
        let disk = MemoryFileSystem(try Self.files.get())
        let sizes = Self.blocks(disk).map { block in
            disk.files.reduce(0) { $0 + ($1.key.hasPrefix("live/./\(block)/") ? $1.value.count : 0) }
        }
        #expect(sizes.count == 4)
        let limit = sizes[2] + sizes[3]
        let recording = try disk.openRecording(limits: RecordingLimits(byteCount: limit))
        recording.prune(now: .zero)
        #expect(recording.extent?.lowerBound.value == RecordedChannel.first + 288)
        let strict = try disk.openRecording(limits: RecordingLimits(byteCount: limit - 1))
        strict.prune(now: .zero)
        #expect(strict.extent?.lowerBound.value == RecordedChannel.first + 544)
        // The newest block stays.
        let least = try disk.openRecording(limits: RecordingLimits(byteCount: 1))
        least.prune(now: .zero)
        #expect(least.extent?.lowerBound.value == RecordedChannel.first + 544)
        #expect(least.extent?.upperBound == Self.numbers.upperBound)
    }

    @Test func aFullDiskShedsTheOldestAndSaysSo() throws {
        let disk = MemoryFileSystem()
        let events = Events()
        var channel = RecordedChannel(try disk.openRecording(onEvent: events.append), window: 24)
        try channel.publish(count: 300)
        channel.finish()
        let used = disk.files.values.reduce(0) { $0 + $1.count }
        // Room for about a block and a half.
        disk.state.withLock { $0.capacity = used + used / 2 }
        try channel.publish(count: 1000)
        channel.finish()
        let recording = channel.recording
        #expect(recording.health.isHealthy)
        #expect(recording.statistics.unwritten == 0)
        #expect(recording.statistics.written == 1300)
        let extent = try #require(recording.extent)
        #expect(extent.upperBound == channel.numbers.upperBound)
        #expect(extent.lowerBound.value.isMultiple(of: 256))
        let shed = events.all.compactMap { event in
            if case .shed(let numbers) = event { numbers } else { nil }
        }
        #expect(shed.count == events.all.count && shed.count == recording.statistics.shedBlocks)
        #expect(shed.first?.lowerBound.value == RecordedChannel.first)
        #expect(shed.last?.upperBound == extent.lowerBound)
        #expect(events.all.first?.description.contains("the disk is full") == true)
        let playlist = try disk.openRecording().playlist(RecordedChannel.video, extent)
        #expect(playlist.segments.count == extent.count)
        #expect(playlist.segments.allSatisfy { !$0.isGap })
    }

    @Test func aDiskThatOthersHaveFilledCostsTheSlotsMeanwhile() throws {
        let disk = MemoryFileSystem()
        let events = Events()
        var channel = RecordedChannel(try disk.openRecording(onEvent: events.append))
        try channel.publish(count: 5)
        channel.finish()
        disk.state.withLock { $0.capacity = 0 }
        try channel.publish(count: 3)
        channel.finish()
        #expect(channel.recording.extent?.count == 5)
        #expect(channel.recording.health.problem != nil)
        disk.state.withLock { $0.capacity = .max }
        try channel.publish(count: 2)
        channel.finish()
        #expect(events.all.count == 2)
        #expect(events.all.last == .ended(.writing))
        let statistics = channel.recording.statistics
        #expect((statistics.written, statistics.unwritten) == (7, 3))
        for recording in [channel.recording, try disk.openRecording()] {
            let playlist = try recording.playlist(RecordedChannel.video, channel.numbers)
            #expect(playlist.segments.map(\.isGap) == (0..<10).map { (5..<8).contains($0) })
            let holes = try recording.holes(in: channel.numbers)
            #expect(holes.map { $0.number.value - RecordedChannel.first } == [5, 6, 7])
        }
    }

    /// A single block has taken the room for the next one.
    @Test func theLastBlockGoesWhereTheNextOneCannotBegin() throws {
        let show = DateRange(id: "show", start: MediaTime(seconds: RecordedChannel.first * 4))
        func publish(_ channel: inout RecordedChannel) throws {
            try channel.publish(dateRanges: DateRangeLines(above: [show]))
            try channel.publish(startsDiscontinuity: true)
            try channel.publish(count: 30)
            channel.finish()
        }
        var whole = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        try publish(&whole)
        try whole.publish(count: 20)
        whole.finish()
        let disk = MemoryFileSystem()
        let events = Events()
        var channel = RecordedChannel(try disk.openRecording(onEvent: events.append), window: 24)
        try publish(&channel)
        disk.state.withLock { state in state.capacity = state.files.values.reduce(0) { $0 + $1.count } }
        // Live viewers need the block.
        try channel.publish(count: 3)
        channel.finish()
        #expect(Self.blocks(disk).contains("\(RecordedChannel.first / 256)"))
        #expect(channel.recording.extent?.count == 32 && !channel.recording.health.isHealthy)
        channel.declare([RecordedChannel.video])
        for _ in 0..<17 { try channel.publish([RecordedChannel.video]) }
        channel.finish()
        #expect(channel.recording.health.isHealthy)
        let start = MediaSequenceNumber(RecordedChannel.first + 32)
        let shed = events.all.filter { if case .shed = $0 { true } else { false } }
        #expect(shed == [.shed(MediaSequenceNumber(RecordedChannel.first)..<start)])
        for recording in [channel.recording, try disk.openRecording()] {
            let numbers = start..<channel.numbers.upperBound
            #expect(recording.extent == numbers)
            let playlist = try recording.playlist(RecordedChannel.video, numbers)
            let unwritten = playlist.segments.prefix(while: \.isGap).count
            #expect((3..<12).contains(unwritten) && !playlist.segments.dropFirst(unwritten).contains(where: \.isGap))
            #expect(try recording.dateRanges(openAt: start).map(\.id) == ["show"])
            #expect(try recording.declaration(at: start)?.renditions.map(\.id) == [RecordedChannel.video])
            let counts = try [recording, whole.recording].map { recording in
                try recording.lines(of: RecordedChannel.video, in: numbers).map(\.discontinuitiesBefore)
            }
            #expect(counts[0] == counts[1])
        }
    }

    @Test func aBlockThatCannotBeRemovedStaysUntilItCan() throws {
        let disk = MemoryFileSystem(try Self.files.get())
        let recording = try disk.openRecording(limits: RecordingLimits(age: .zero))
        disk.state.withLock { $0.failure = EIO }
        recording.prune(now: MediaTime(seconds: 1 << 32))
        #expect(recording.extent == Self.numbers)
        #expect(recording.health.problem?.contains("Input/output error") == true)
        disk.state.withLock { $0.failure = nil }
        recording.prune(now: MediaTime(seconds: 1 << 32))
        #expect(recording.health.isHealthy)
        #expect(recording.extent?.lowerBound.value == RecordedChannel.first + 544)
    }

    /// A listed segment must not be missing, whatever the limits.
    @Test func blocksOfTheLiveWindowStay() throws {
        let disk = MemoryFileSystem()
        let limits = RecordingLimits(age: .zero, byteCount: 1)
        var channel = RecordedChannel(try disk.openRecording(limits: limits), window: 1200)
        try channel.publish(count: 600)
        channel.finish()
        channel.recording.prune(now: MediaTime(seconds: 1 << 32))
        // Of 300 slots that are listed the oldest is in the third block.
        #expect(channel.recording.extent?.lowerBound.value == RecordedChannel.first + 288)
        disk.state.withLock { $0.capacity = 0 }
        try channel.publish(count: 1)
        channel.finish()
        #expect(channel.recording.extent?.lowerBound.value == RecordedChannel.first + 288)
        #expect(channel.recording.statistics.unwritten == 1)
        #expect(channel.recording.statistics.byteCount > 0)
    }

    /// A slot may be on its way into a block that goes.
    @Test func aBlockThatIsRemovedMeanwhileDoesNotBeginAnew() throws {
        var whole = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        try whole.publish(count: 40)
        whole.finish()
        let number = MediaSequenceNumber(RecordedChannel.first + 5)
        let slot = try #require(try whole.recording.slots(in: number..<number.next).first)
        var bodies: [String: ByteBuffer] = [:]
        for segment in slot.segments.values { bodies[segment.line.uri] = try whole.recording.bytes(segment.line.uri) }
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 5)
        try channel.skip(1)
        try channel.publish(count: 594)
        channel.finish()
        let files = disk.files
        for _ in 0..<8 {
            let disk = MemoryFileSystem(files)
            let recording = try disk.openRecording(limits: RecordingLimits(age: .zero))
            DispatchQueue.concurrentPerform(iterations: 2) { [bodies] index in
                if index == 0 {
                    try? recording.insert(slot, bodies: bodies)
                } else {
                    recording.prune(now: MediaTime(seconds: 1 << 32))
                }
            }
            recording.prune(now: MediaTime(seconds: 1 << 32))
            recording.finish()
            #expect(Self.blocks(disk).count == 1)
            #expect(recording.extent?.lowerBound.value == RecordedChannel.first + 544)
        }
    }
}
