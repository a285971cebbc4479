import Files
import Glibc
import MediaCore
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// Segments that are served from the journal's files.
@Suite struct StoredSegmentsTests {
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        maximumBytes: Int = .max
    ) throws -> (
        journal: Journal, restored: RestoredWindow?
    ) {
        disk.state.withLock { $0.locks = [] }
        let opened = try Journal.open(
            directory: "state",
            channel: "live",
            configuration: ["clock": "pts"],
            segmentDuration: MediaTime(seconds: 240),
            maximumBytes: maximumBytes,
            capacity: 20_000,
            fileSystem: disk,
            onEvent: events.append
        )
        // The next process continues with the window.
        opened.journal.reportLosses()
        return opened
    }

    private func bytes(_ path: String, _ feed: Feed) throws -> String? {
        guard case .found(let resource) = feed.presentation.resource(path, now: feed.now) else { return nil }
        return String(buffer: try resource.body.read())
    }

    /// A channel whose playlists leave so little memory that only the newest six slots are in it.
    private static func feed(_ journal: Journal, restored: RestoredWindow? = nil) throws -> Feed {
        var model = Feed(nil)
        for _ in 0..<40 { try model.publish(gaps: []) }
        let maximumBytes = model.presentation.memoryUse.bytes + 300
        return Feed(journal, restored: restored, maximumBytes: maximumBytes, isStoring: true)
    }

    @Test func whatLeavesMemoryIsOnTheDiskUntilItExpires() throws {
        let disk = MemoryFileSystem()
        var feed = try Self.feed(try open(disk).journal)
        for slot in 1...40 {
            try feed.publish(gaps: [])
            let segments = disk.files.keys.filter { $0.hasSuffix(".m4s") }
            // A window, and what has left it for as long.
            #expect(segments.count <= 2 * 16, "\(slot)")
            for file in feed.presentation.saved.files {
                let name = file.path.split(separator: "/")
                let number = name[1].hasPrefix("init") ? name[1] : name[1].dropLast(4)
                #expect(try bytes(file.path, feed) == "\(name[0]) \(number)")
            }
        }
        #expect(events.texts.isEmpty)
        let expired = "state/live/media/video-1080p/\(Feed.firstNumber).m4s"
        #expect(disk.files[expired] == nil)
    }

    @Test func theNextProcessServesWhatItHasNotRead() throws {
        let disk = MemoryFileSystem()
        var feed = try Self.feed(try open(disk).journal)
        for _ in 0..<20 { try feed.publish(gaps: []) }
        let (journal, found) = try open(disk, maximumBytes: 60)
        let restored = try #require(found)
        #expect(restored.stored.count > restored.bodies.count)
        var successor = try Self.feed(journal, restored: restored)
        #expect(successor.playlists == feed.playlists)
        for file in restored.window.files {
            #expect(try bytes(file.path, successor) == bytes(file.path, feed))
        }
        for _ in 0..<20 { try successor.publish(gaps: []) }
        #expect(events.texts.isEmpty)
    }

    @Test func aFileOfAnotherLengthIsLost() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        for _ in 0..<20 { try feed.publish(gaps: []) }
        let oldest = feed.presentation.saved.numbers.lowerBound
        disk.state.withLock { _ = $0.files["state/live/media/video-1080p/\(oldest).m4s"]?.popLast() }
        let restored = try open(disk, maximumBytes: 1).restored
        #expect(restored?.stored["video-1080p/\(oldest).m4s"] == nil)
        #expect(restored?.stored["audio-en/\(oldest).m4s"] != nil)
        #expect(events.texts.contains { $0.contains("1 of ") && $0.contains("missing or damaged") })
    }

    @Test func aDiskThatCannotBeReadIsSaidOnce() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk).journal
        var feed = try Self.feed(journal)
        for _ in 0..<20 { try feed.publish(gaps: []) }
        let path = "video-1080p/\(feed.presentation.saved.numbers.lowerBound.value - 3).m4s"
        disk.state.withLock { $0.readFailure = EIO }
        for _ in 0..<3 { #expect(throws: FileError.self) { try bytes(path, feed) } }
        #expect(events.texts.count == 1 && events.texts[0].hasPrefix("segments on the disk cannot be served: "))
        #expect(!journal.health.isHealthy)
        disk.state.withLock { $0.readFailure = nil }
        #expect(try bytes(path, feed) != nil)
        #expect(events.texts.count == 2 && journal.health.isHealthy)
        // What is asked for when it goes is no fault.
        guard case .found(let late) = feed.presentation.resource(path, now: feed.now) else {
            Issue.record("it is listed")
            return
        }
        for _ in 0..<20 { try feed.publish(gaps: []) }
        #expect(throws: FileError.self) { try late.body.read() }
        #expect(events.texts.count == 2)
    }
}
