import Files
import Glibc
import MediaCore
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// A journal that leaves segments to another store.
@Suite struct JournalWithoutMediaTests {
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        hasStore: Bool = true,
        maximumBytes: Int = .max,
        capacity: Int = 6000
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        try disk.openJournal(
            media: hasStore ? DiskMedia(disk) : nil,
            maximumBytes: maximumBytes,
            capacity: capacity,
            onEvent: events.append
        )
    }

    /// The files of the journal's own directory, without its lines.
    private static func ownMedia(_ disk: MemoryFileSystem) -> [String] {
        disk.files.keys.filter { $0.hasPrefix("state/live/media/") }
    }

    private func bytes(_ path: String, _ feed: Feed) throws -> String? {
        guard case .found(let resource) = feed.presentation.resource(path, now: feed.now) else { return nil }
        return String(buffer: try resource.body.read())
    }

    @Test func everyByteIsWrittenOnceAndFoundByTheNextProcess() throws {
        let disk = MemoryFileSystem()
        let (journal, nothing) = try open(disk)
        #expect(nothing == nil)
        var feed = Feed(journal)
        for _ in 0..<20 {
            try feed.publish()
            #expect(Self.ownMedia(disk).isEmpty)
        }
        let restored = try #require(try open(disk).restored)
        let successor = Feed(nil, restored: restored)
        #expect(successor.playlists == feed.playlists && successor.number == feed.number)
        for file in restored.window.files { #expect(try bytes(file.path, successor) == bytes(file.path, feed)) }
        #expect(journal.statistics == Journal.Statistics(written: 20) && events.texts.isEmpty)
    }

    /// Every call to the operating system may be the last one, and half made: of the lines, or of the store.
    @Test func aKilledProcessLosesNothingThatWasVisible() throws {
        let disk = MemoryFileSystem()
        disk.state.withLock { $0.history = [] }
        var feed = Feed(try open(disk).journal, seed: 9)
        var visible = feed.playlists
        for _ in 0..<11 {
            try feed.publish()
            let next = feed.playlists
            for files in disk.takeHistory() {
                let successor = MemoryFileSystem(files)
                let (journal, restored) = try open(successor)
                var second = Feed(journal, restored: restored)
                let found = second.presentation.playlists(now: feed.now)
                #expect(found == visible || found == next)
                // Killed again after another slot.
                try second.publish(gaps: [])
                let third = try open(successor).restored
                #expect(third?.window == second.presentation.saved)
                #expect(third?.bodies.count == third?.window.files.count)
            }
            visible = next
        }
        // Half of the very first header says nothing that anybody has seen.
        let torn = "the journal starts anew: state/live/journal-0 is damaged"
        #expect(events.texts.allSatisfy { $0 == torn }, "\(events.texts)")
    }

    @Test func aWindowBeginsBehindASegmentThatTheStoreHasLost() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        for _ in 0..<6 { try feed.publish(gaps: []) }
        disk.state.withLock { state in
            state.files[DiskMedia.file("video-1080p/1001.m4s")] = nil
            state.files[DiskMedia.file("video-1080p/1002.m4s")]?[0] ^= 1
        }
        let restored = try open(disk).restored
        #expect(Feed(nil, restored: restored).presentation.saved.numbers.lowerBound.value == 1003)
        #expect(events.texts.count == 1 && events.texts[0].contains("2 of "), "\(events.texts)")
    }

    @Test func whatTheStoreCouldNotKeepIsSaidAndTheLinesGoOn() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk, capacity: 20_000).journal
        var feed = Feed(journal)
        for _ in 0..<5 { try feed.publish(gaps: []) }
        // Three slots with one initialization section.
        disk.state.withLock { $0.capacity = 0 }
        for _ in 0..<3 { try feed.publish(gaps: []) }
        #expect(journal.statistics.written == 8 && journal.statistics.lostFiles == 6 && !journal.health.isHealthy)
        disk.state.withLock { $0.capacity = .max }
        try feed.publish(gaps: [])
        #expect(journal.health.isHealthy)
        let texts = events.texts
        #expect(texts.count == 2 && texts[0].hasPrefix("segments cannot be kept for a restart: "), "\(texts)")
        #expect(Feed(nil, restored: try open(disk).restored).presentation.saved.numbers.count == 1)
    }

    /// The files of the time before are served, and go when nobody can ask for them any more.
    @Test func aChannelBeginsToUseAStoreWithTheWindowThatItHas() throws {
        let disk = MemoryFileSystem()
        var first = Feed(try open(disk, hasStore: false).journal)
        for _ in 0..<9 { try first.publish(gaps: []) }
        #expect(!Self.ownMedia(disk).isEmpty)
        let (journal, restored) = try open(disk, maximumBytes: 60)
        var second = Feed(journal, restored: restored, isStoring: true)
        #expect(second.playlists == first.playlists)
        for file in first.presentation.saved.files {
            #expect(try bytes(file.path, second) == bytes(file.path, first), "\(file.path)")
        }
        for _ in 0..<3 { try second.publish(gaps: []) }
        let third = Feed(nil, restored: try open(disk).restored)
        #expect(third.playlists == second.playlists)
        for _ in 0..<30 { try second.publish(gaps: []) }
        #expect(Self.ownMedia(disk).isEmpty && events.texts.isEmpty)
    }

    /// A process that is killed before it removes the file of a slot's parts leaves it beside the segment of the store.
    @Test(arguments: [Int.max, 1]) func whatIsLeftOfPartsHidesNoSegment(maximumBytes: Int) throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        for _ in 0..<5 { try feed.publish(gaps: []) }
        disk.state.withLock { $0.files["state/live/media/video-1080p/1002.m4s"] = [1, 2, 3] }
        let (journal, restored) = try open(disk, maximumBytes: maximumBytes)
        var second = Feed(journal, restored: restored, isStoring: true)
        #expect(second.playlists == feed.playlists)
        #expect(try bytes("video-1080p/1002.m4s", second) == "video-1080p 1002")
        try second.publish(gaps: [])
        #expect(Self.ownMedia(disk).isEmpty && events.texts.isEmpty)
    }

    @Test func whatLeavesMemoryIsReadFromTheStore() throws {
        let disk = MemoryFileSystem()
        var model = Feed(nil)
        for _ in 0..<40 { try model.publish(gaps: []) }
        let maximumBytes = model.presentation.memoryUse.bytes + 300
        let journal = try open(disk).journal
        var feed = Feed(journal, maximumBytes: maximumBytes, isStoring: true)
        for _ in 0..<40 { try feed.publish(gaps: []) }
        // The newest slots, which are all of the window, stay in memory.
        let number = feed.presentation.saved.numbers.lowerBound.value - 3
        let path = "video-1080p/\(number).m4s"
        #expect(journal.holds(path) == true && journal.holds("video-1080p/1.m4s") == false)
        #expect(try bytes(path, feed) == "video-1080p \(number)")
        for file in feed.presentation.saved.files {
            let name = file.path.split(separator: "/")
            let number = name[1].hasPrefix("init") ? name[1] : name[1].dropLast(4)
            #expect(try bytes(file.path, feed) == "\(name[0]) \(number)")
        }
        disk.state.withLock { $0.readFailure = EIO }
        #expect(throws: FileError.self) { try bytes(path, feed) }
        #expect(events.texts.count == 1 && events.texts[0].hasPrefix("segments on the disk cannot be served: "))
    }
}
