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

/// A directory is a recording of this stream, or is refused in words; opening it costs the same however long it is.
@Suite(.timeLimit(.minutes(5))) struct RecordingStartTests {
    private static func disk() throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try channel.publish(count: 3)
        channel.finish()
        return disk
    }

    @Test func aRecordingOfAnotherStreamIsRefused() throws {
        let disk = try Self.disk()
        let files = disk.files
        let error = #expect(throws: RecordingError.self) { try disk.openRecording(identity: ["clock": "ntp"]) }
        #expect(error == .otherStream(directory: "live", setting: "clock", was: "pts", is: "ntp"))
        #expect(error?.description.contains("clock was pts and is ntp") == true)
        #expect(throws: RecordingError.self) {
            try Recording.open(
                "live",
                identity: ["clock": "pts"],
                segmentDuration: MediaTime(seconds: 2),
                fileSystem: MemoryFileSystem(files)
            ) { _ in }
        }
        #expect(disk.files == files)
    }

    @Test func aRecordingOfALaterVersionIsRefused() throws {
        let disk = try Self.disk()
        disk.change(all: "recording.json") { $0 = Array(#"{"version":2,"identity":"in another form"}"#.utf8) }
        let files = disk.files
        let error = #expect(throws: RecordingError.self) { try disk.openRecording() }
        #expect(error == .newerVersion(directory: "live", version: 2))
        #expect(disk.files == files)
    }

    @Test(arguments: ["holiday.mov", "recording.json", "1753171/index"])
    func aDirectoryOfSomebodyElseIsRefused(name: String) throws {
        let disk = MemoryFileSystem(["live/./\(name)": Array("mine".utf8)])
        let files = disk.files
        #expect(throws: RecordingError.foreign(directory: "live")) { try disk.openRecording() }
        #expect(disk.files == files)
    }

    /// A process was killed, or a power cut came, when it had just made the directory.
    @Test(arguments: ["lock", ".packager.new", "recording.json", "recording.json.new"])
    func aDirectoryThatWasJustBegunIsOpenedAgain(name: String) throws {
        let disk = MemoryFileSystem(["live/./\(name)": []])
        try disk.openRecording().close()
        #expect(disk.files["live/./recording.json"]?.isEmpty == false)
        #expect(disk.state.withLock { $0.synchronized.contains("live/./recording.json") })
        try disk.openRecording().close()
    }

    @Test func aLookNeitherWritesNorLocks() throws {
        let disk = try Self.disk()
        let recording = try disk.openRecording()
        let files = disk.files
        func check(_ identity: [String: String]) throws(RecordingError) {
            let duration = MediaTime(seconds: 4)
            try Recording.check("live", identity: identity, segmentDuration: duration, fileSystem: disk)
        }
        try check(["clock": "pts"])
        #expect(throws: RecordingError.self) { try check(["clock": "ntp"]) }
        try Recording.check("other", identity: [:], segmentDuration: .zero, fileSystem: disk)
        #expect(disk.files == files)
        recording.close()
    }

    @Test func aDirectoryThatCannotBeWrittenIsRefused() throws {
        let disk = try Self.disk()
        disk.state.withLock { $0.failure = EROFS }
        let error = #expect(throws: RecordingError.self) { try disk.openRecording() }
        #expect(error?.description.contains("Read-only file system") == true)
    }

    @Test func aDirectoryInUseIsRefused() throws {
        let disk = try Self.disk()
        let recording = try disk.openRecording()
        func open() throws -> Recording {
            try Recording.open(
                "live",
                identity: ["clock": "pts"],
                segmentDuration: MediaTime(seconds: 4),
                fileSystem: disk
            ) { _ in }
        }
        #expect(throws: RecordingError.inUse(directory: "live")) { try open() }
        recording.close()
    }

    @Test func aStartGoesOnInTheSameBlock() throws {
        let disk = try Self.disk()
        var channel = RecordedChannel(try disk.openRecording(), first: RecordedChannel.first + 3)
        try channel.publish(count: 3)
        channel.finish()
        let recording = try disk.openRecording()
        #expect(recording.extent == channel.numbers)
        let playlist = try recording.playlist(RecordedChannel.video, channel.numbers)
        #expect(playlist.segments.map(\.isGap) == Array(repeating: false, count: 6))
        #expect(playlist.segments.map(\.startsDiscontinuity) == Array(repeating: false, count: 6))
        for number in channel.numbers {
            let bytes = RecordedChannel.bytes(RecordedChannel.audio, number.value)
            #expect(try recording.bytes("audio-en/\(number).m4s") == bytes)
        }
    }

    /// A process that was killed may have recorded slots that nobody has seen, on both sides of the end of a block.
    @Test func slotsThatNobodyHasSeenAreRecordedAnew() throws {
        let disk = MemoryFileSystem()
        var first = RecordedChannel(try disk.openRecording())
        try first.publish(count: 33)
        first.finish()
        let start = RecordedChannel.first + 31
        var second = RecordedChannel(try disk.openRecording(), first: start)
        for _ in 0..<3 { try second.publish(byteCount: 5) }
        second.finish()
        let recording = try disk.openRecording()
        #expect(recording.extent == second.numbers)
        for number in start..<start + 3 {
            let bytes = RecordedChannel.bytes(RecordedChannel.audio, number, 5)
            #expect(try recording.bytes("audio-en/\(number).m4s") == bytes)
        }
    }

    /// Slots that a window brings are recorded once.
    @Test func aWindowThatIsTakenOverIsNotRecordedAgain() throws {
        let disk = try Self.disk()
        let recording = try disk.openRecording()
        var channel = RecordedChannel(recording)
        // The three slots that are there, and three that were not recorded.
        try channel.publish(count: 6)
        channel.finish()
        #expect(recording.statistics.written == 3)
        #expect(recording.extent == channel.numbers)
    }

    @Test func leftoversOfABlockGo() throws {
        let disk = try Self.disk()
        let block = RecordedChannel.first / 256
        disk.state.withLock { state in
            state.files["live/./\(block - 1)/video-1080p.media"] = [1]
            state.files["live/./\(block + 1)/index"] = Array("torn".utf8)
        }
        let recording = try disk.openRecording()
        recording.finish()
        #expect(recording.extent?.count == 3)
        #expect(!disk.files.keys.contains { $0.contains("/\(block - 1)/") || $0.contains("/\(block + 1)/") })
    }

    /// NFS that was away for a moment, and a sector that went bad, are no reason to remove what is there.
    @Test(arguments: [EIO, ESTALE, EACCES]) func aBlockThatCannotBeReadStays(code: CInt) throws {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        try channel.publish(count: 40)
        channel.finish()
        let (files, oldest) = (disk.files, RecordedChannel.first / 256)
        disk.state.withLock { $0.unreadable["live/./\(oldest)/index"] = code }
        let events = Events()
        let recording = try disk.openRecording(onEvent: events.append)
        guard case .began(.reading, _)? = events.all.first else {
            Issue.record("\(events.all)")
            return
        }
        recording.close()
        #expect(disk.files == files)
        // The newest has to be known before anything is written.
        disk.state.withLock { $0.unreadable = ["live/./\(oldest + 1)/index": code] }
        #expect(throws: RecordingError.self) { try disk.openRecording() }
        #expect(disk.files == files)
        disk.state.withLock { $0.unreadable = [:] }
        #expect(try disk.openRecording().extent == channel.numbers)
    }

    @Test func newestSlotsThatCannotBeReadAreNotLost() throws {
        let disk = try Self.disk()
        let files = disk.files
        disk.state.withLock { state in
            for path in files.keys where path.hasSuffix(".media") { state.unreadable[path] = EIO }
        }
        try disk.openRecording().close()
        #expect(disk.files == files)
    }

    /// A fortnight has 1182 blocks: their names are listed, and a few files are read.
    @Test func afterAFortnightAStartReadsAsMuchAsAfterADay() throws {
        func reads(blockCount: Int64) throws -> (calls: Int, bytes: Int) {
            let disk = MemoryFileSystem()
            // The oldest block, and the newest.
            var channel = RecordedChannel(try disk.openRecording(), window: 24)
            try channel.publish(count: 5)
            try channel.skip(256 * (blockCount - 1))
            try channel.publish(count: 5)
            channel.finish()
            let first = RecordedChannel.first / 256
            disk.state.withLock { state in
                let index = state.files["live/./\(first)/index"]
                for block in first + 1..<first + blockCount - 1 { state.files["live/./\(block)/index"] = index }
            }
            let counting = CountingFileSystem(disk)
            disk.state.withLock { $0.locks = [] }
            let recording = try Recording.open(
                "live",
                identity: ["clock": "pts"],
                segmentDuration: MediaTime(seconds: 4),
                fileSystem: counting
            ) { _ in }
            #expect(recording.extent == channel.numbers)
            return counting.reads
        }
        let (day, fortnight) = (try reads(blockCount: 85), try reads(blockCount: 1182))
        #expect(day.calls == fortnight.calls)
        #expect(abs(day.bytes - fortnight.bytes) < 100)
        #expect(fortnight.calls < 40)
        #expect(fortnight.bytes < 50_000)
    }
}
