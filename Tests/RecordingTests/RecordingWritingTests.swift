import Dispatch
import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

/// Recording beside viewers, slow disks and readers.
@Suite(.timeLimit(.minutes(5))) struct RecordingWritingTests {
    @Test func aDiskThatStandsStillCostsNothingThatTheWindowStillHas() async throws {
        let gate = Gate()
        let disk = MemoryFileSystem { gate.pass() }
        var channel = RecordedChannel(try disk.openRecording(), policy: .follows(backlog: 4))
        try channel.publish(count: 2)
        channel.presentation.finish()
        gate.close()
        // Viewers do not wait for it.
        try channel.publish(count: 30)
        #expect(try channel.live(RecordedChannel.video).segments.count == 32)
        #expect(channel.recording.statistics.late > 0)
        gate.open()
        channel.presentation.finish()
        // The next slot brings what was missed.
        try channel.publish(count: 1)
        let (recording, numbers) = (channel.recording, channel.numbers)
        _ = try await eventually(within: 10, "all is recorded") { recording.extent == numbers ? true : nil }
        channel.finish()
        let segments = try recording.playlist(RecordedChannel.video, numbers).segments
        #expect(segments == (try channel.live(RecordedChannel.video).segments))
        for number in numbers {
            let bytes = RecordedChannel.bytes(RecordedChannel.video, number.value)
            #expect(try recording.bytes("video-1080p/\(number).m4s") == bytes)
        }
    }

    /// Clients on the same machine copy bytes from other places at two thirds of the speed.
    @Test func largeSegmentsBeginWithAPage() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        var expected: [UInt8] = []
        for (index, size) in [70_000, 100, 3, 65_536, 4096, 200_000].enumerated() {
            try channel.publish(byteCount: size)
            if size > 65_000 { expected += Array(repeating: 0, count: -expected.count & 4095) }
            let number = RecordedChannel.first + Int64(index)
            expected += RecordedChannel.bytes(RecordedChannel.video, number, size).readableBytesView
        }
        channel.finish()
        #expect(disk.files.first { $0.key.hasSuffix("/video-1080p.media") }?.value == expected)
    }

    /// The progress of a thread that writes, and of those that read meanwhile.
    private final class Progress: Sendable {
        let isOver = Mutex(false)
        /// A signal from each reader for each extent that it has seen.
        let readers = (0..<3).map { _ in DispatchSemaphore(value: 0) }
    }

    @Test func readersSeeWholeSlotsWhileOthersAreWritten() async throws {
        let disk = MemoryFileSystem()
        let recording = try disk.openRecording(cache: BlockCache(capacity: 100_000))
        let progress = Progress()
        let channel = Mutex(RecordedChannel(recording, window: 24))
        DispatchQueue.global().async {
            channel.withLock { channel in
                for index in 0..<700 {
                    try? channel.publish(period: Int64(index / 50))
                    // No reader misses fifty slots.
                    if index % 50 == 0 { for reader in progress.readers { reader.wait() } }
                }
                channel.finish()
            }
            progress.isOver.withLock { $0 = true }
        }
        let counts = await withTaskGroup(of: Int.self) { group in
            for (index, reader) in progress.readers.enumerated() {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(index + 1))
                    var ends: Set<MediaSequenceNumber> = []
                    while !progress.isOver.withLock({ $0 }) {
                        let end = Self.look(at: recording, using: &generator)
                        if let end, ends.insert(end).inserted { reader.signal() }
                        await Task.yield()
                    }
                    return ends.count
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.allSatisfy { $0 >= 14 })
        #expect(recording.extent?.count == 700)
        #expect(recording.health.isHealthy)
    }

    /// Reads any range, and the bytes of its last slot.
    ///
    /// - Returns: The end of what was recorded; nil if there was nothing.
    private static func look(
        at recording: Recording,
        using generator: inout SeededGenerator
    ) -> MediaSequenceNumber? {
        guard let extent = recording.extent else { return nil }
        let first = extent.lowerBound.advanced(by: Int64.random(in: 0..<Int64(extent.count), using: &generator))
        let id = Bool.random(using: &generator) ? RecordedChannel.video : RecordedChannel.audio
        do {
            let segments = try recording.playlist(id, first..<extent.upperBound).segments
            #expect(segments.map(\.uri) == (first..<extent.upperBound).map { "\(id)/\($0).m4s" })
            #expect(segments.allSatisfy { !$0.isGap && $0.keys.count == 1 && $0.map != nil })
            let last = extent.upperBound.previous
            #expect(try recording.bytes("\(id)/\(last).m4s") == RecordedChannel.bytes(id, last.value))
            #expect(try recording.slots(in: last..<extent.upperBound).map(\.number) == [last])
        } catch {
            Issue.record(error)
        }
        return extent.upperBound
    }

    @Test func theCacheKeepsWithinItsCapacity() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 1000)
        channel.finish()
        let whole = try channel.recording.playlist(RecordedChannel.video, channel.numbers)
        let cache = BlockCache(capacity: 200_000)
        do {
            let recording = try disk.openRecording(cache: cache)
            for _ in 0..<3 {
                for id in [RecordedChannel.video, RecordedChannel.audio, RecordedChannel.video.iFrames] {
                    _ = try recording.lines(of: id, in: channel.numbers)
                    #expect(cache.byteCount <= 200_000)
                }
            }
            #expect(cache.byteCount > 50_000)
            #expect(try recording.playlist(RecordedChannel.video, channel.numbers) == whole)
        }
        // The recording is closed.
        #expect(cache.byteCount == 0)
    }

    @Test func aFloodOfUnknownPlaylistsTakesNoMoreMemory() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 300)
        channel.finish()
        let cache = BlockCache(capacity: 200_000)
        let recording = try disk.openRecording(cache: cache)
        for index in 0..<20 {
            let segments = try recording.playlist(RenditionID("video-\(index)"), channel.numbers).segments
            #expect(segments.count == 300 && segments.allSatisfy(\.isGap))
            #expect(cache.byteCount <= 200_000)
        }
    }

    @Test func aRangeBeyondReasonIsRefused() throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 1)
        try channel.skip(1 << 18)
        try channel.publish(count: 1)
        channel.finish()
        #expect(throws: RecordingError.tooLong(channel.numbers)) {
            try channel.recording.lines(of: RecordedChannel.video, in: channel.numbers)
        }
        let last = channel.numbers.upperBound.previous
        #expect(try channel.recording.lines(of: RecordedChannel.video, in: last..<last.next.next).count == 1)
        let outside = last.next..<last.advanced(by: 1 << 40)
        #expect(try channel.recording.lines(of: RecordedChannel.video, in: outside).isEmpty)
        #expect(try channel.recording.slots(in: outside).isEmpty)
    }
}
