import Files
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Presentation

@Suite final class DirectoryMirrorTests: Sendable {
    private let root: URL
    private let problems = Mutex<[MirrorEvent]>([])

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private func mirror(_ path: String = "", waits: Bool = true) throws -> DirectoryMirror {
        try DirectoryMirror(directory: root.path + path, waits: waits) { event in
            self.problems.withLock { $0.append(event) }
        }
    }

    private static func playlist(_ uris: String...) -> String {
        "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n"
            + uris.map { "#EXT-X-PROGRAM-DATE-TIME:2026-11-22T00:00:00Z\n#EXTINF:4,\n\($0)\n" }.joined()
    }

    /// The kinds of the events so far.
    private var events: [MirrorEvent.Kind] { problems.withLock { $0.map(\.kind) } }

    /// Every file below the root with its content.
    private func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let url = root.appending(path: path)
            if !url.hasDirectoryPath, let data = try? Data(contentsOf: url) {
                files[path] = String(decoding: data, as: UTF8.self)
            }
        }
        return files
    }

    /// Publishes slots and waits until they are written.
    private func publish(_ count: Int = 1, _ feed: inout Feed) throws {
        for _ in 0..<count { try feed.publish(gaps: []) }
        feed.presentation.finish()
    }

    /// All that the origin has, by path.
    private static func served(_ feed: Feed) -> [String: String] {
        let files = feed.presentation.saved.files.map(\.path)
        let paths = files + ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"]
        let bodies = paths.compactMap { path -> (String, String)? in
            guard case .found(let resource) = feed.presentation.resource(path, now: feed.now) else { return nil }
            return resource.body.memory.map { (path, String(buffer: $0)) }
        }
        return Dictionary(bodies) { first, _ in first }
    }

    @Test func filesAreWrittenReplacedAndRemoved() throws {
        let mirror = try mirror()
        var feed = Feed(nil, consumers: [mirror])
        try publish(4, &feed)
        #expect(try files() == Self.served(feed))
        try publish(30, &feed)
        let files = try files()
        #expect(files.merging(Self.served(feed)) { $1 } == files)
        #expect(files["video-1080p/\(Feed.firstNumber).m4s"] == nil)
        #expect(events.isEmpty)
        #expect(mirror.health.isHealthy)
    }

    @Test func aFileIsReplacedAsAWholeAndNeverWrittenInto() throws {
        var feed = Feed(nil, consumers: [try mirror()])
        try publish(1, &feed)
        let before = try #require(Self.served(feed)["video-1080p.m3u8"])
        // A reader that has the old file open reads it to its end.
        let reader = try FileHandle(forReadingFrom: root.appending(path: "video-1080p.m3u8"))
        try publish(1, &feed)
        #expect(try reader.readToEnd() == Data(before.utf8))
        #expect(try files() == Self.served(feed))
    }

    @Test func theDirectoryIsMadeWithItsParents() throws {
        var feed = Feed(nil, consumers: [try mirror("/a/b")])
        try publish(1, &feed)
        #expect(try Set(files().keys) == Set(Self.served(feed).keys.map { "a/b/\($0)" }))
    }

    /// Constant files are there before the first playlist names them, and stay.
    @Test func constantsAreThereFromTheStartOn() throws {
        try Data("old".utf8).write(to: root.appending(path: "names.json"))
        let constants = ["names.json": ByteBuffer(string: "{}")]
        let mirror = try DirectoryMirror(directory: root.path, constants: constants, waits: true) { _ in }
        #expect(try files() == ["names.json": "{}"])
        var feed = Feed(nil, consumers: [mirror])
        try publish(20, &feed)
        #expect(try files()["names.json"] == "{}")
    }

    @Test func removingWhatIsNotThereIsNoProblem() throws {
        var feed = Feed(nil, consumers: [try mirror()])
        try publish(1, &feed)
        try FileManager.default.removeItem(at: root.appending(path: "video-1080p/\(Feed.firstNumber).m4s"))
        try publish(30, &feed)
        #expect(events.isEmpty)
    }

    @Test func aDirectoryThatCannotBeMadeIsRefusedAtOnce() throws {
        try Data().write(to: root.appending(path: "file"))
        let error = try #require(throws: FileError.self) { try self.mirror("/file/below") }
        #expect(error.operation == "make directory" || error.operation == "write to")
        #expect(error.description.contains("/file"))
    }

    @Test func aFileThatCannotBeWrittenIsSaidOnceTriedAgainAndHealed() throws {
        // A directory stands where the file belongs.
        let directory = root.appending(path: "video-1080p/\(Feed.firstNumber).m4s/full")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let mirror = try mirror()
        var feed = Feed(nil, consumers: [mirror])
        try publish(2, &feed)
        #expect(try files()["video-1080p.m3u8"] == nil)
        #expect(try files()["audio-en.m3u8"] == Self.served(feed)["audio-en.m3u8"])
        #expect(events == [.began(.unwritten)])
        #expect(mirror.health.problem?.contains("\(Feed.firstNumber).m4s") == true)
        try FileManager.default.removeItem(at: directory.deletingLastPathComponent())
        feed.presentation.finish()
        #expect(try files() == Self.served(feed))
        #expect(events == [.began(.unwritten), .ended(.unwritten)])
        #expect(mirror.health.isHealthy)
    }

    @Test func whatAnEarlierProcessHasLeftGoesOnceItIsReplacedAndNothingElse() throws {
        let old = [
            "video-180p/29900000.m4s", "video-180p/init-00ff.mp4", "video-180p/29900001.m4s.new",
            "audio-en/29900000.aac",
        ]
        let foreign = [
            "index.html", "photos/29900000.ts", "video-180p/notes.txt", "video-180p/12.m4s", "film.m3u8",
            "audio-en/deep/29900000.aac", "video-180p.mp4",
        ]
        let leftover = Self.playlist("video-180p/29900000.m4s")
        for (path, text) in (old + foreign).map({ ($0, "") }) + [
            ("video-180p.m3u8", leftover), ("video-180p-iframes.m3u8", leftover), ("audio-en.m3u8", ""),
        ] {
            let url = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
        }
        var feed = Feed(nil, consumers: [try mirror()])
        #expect(
            try Set(files().keys)
                == Set(old + foreign + ["video-180p.m3u8", "video-180p-iframes.m3u8", "audio-en.m3u8"])
        )
        try publish(2, &feed)
        #expect(try Set(files().keys) == Set(foreign + Self.served(feed).keys))
        #expect(events.isEmpty)
    }

    /// The encoder is away, or the input of a batch is misspelt.
    @Test func whatAnEarlierProcessHasLeftStaysWhileThereIsNothingToReplaceIt() throws {
        let old = [
            "video-180p/29900000.m4s": "old", "video-180p.m3u8": Self.playlist("video-180p/29900000.m4s"),
            "index.m3u8": "#EXTM3U\n",
        ]
        for (path, text) in old {
            let url = root.appending(path: path)
            let directory = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        Feed(nil, consumers: [try mirror()]).presentation.finish()
        #expect(try files() == old)
    }

    @Test func whatIsInTheWayOfAFileIsReplacedAndNeverWrittenThrough() throws {
        let victim = root.appending(path: "victim")
        try Data("victim".utf8).write(to: victim)
        var feed = Feed(nil, consumers: [try mirror("/out")])
        symlink("../victim", root.path + "/out/index.m3u8.new")
        symlink("../victim", root.path + "/out/video-1080p.m3u8")
        mkfifo(root.path + "/out/audio-en.m3u8.new", 0o644)
        mkfifo(root.path + "/out/audio-en.m3u8", 0o644)
        try publish(1, &feed)
        let served = Self.served(feed).map { ("out/\($0.key)", $0.value) }
        #expect(try files() == Dictionary(uniqueKeysWithValues: served + [("victim", "victim")]))
        #expect(events.isEmpty)
    }

    @Test func aFolderThatIsALinkIsRefusedInWords() throws {
        let elsewhere = root.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        let mirror = try mirror("/out")
        symlink("../elsewhere", root.path + "/out/video-1080p")
        var feed = Feed(nil, consumers: [mirror])
        try publish(1, &feed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
        #expect(mirror.health.problem?.contains("video-1080p: a symbolic link has its name") == true)
    }

    @Test func theDirectoryItselfMayBeALink() throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: "elsewhere"),
            withIntermediateDirectories: true
        )
        symlink("elsewhere", root.path + "/out")
        var feed = Feed(nil, consumers: [try mirror("/out")])
        try publish(1, &feed)
        let segment = "video-1080p/\(Feed.firstNumber).m4s"
        #expect(try files()["elsewhere/\(segment)"] == Self.served(feed)[segment])
    }

    /// A job leaves nothing out: it waits until somebody has made room.
    @Test func whereAllIsKeptTheDiskIsWaitedFor() async throws {
        let disk = MemoryFileSystem()
        let mirror = try DirectoryMirror(directory: "out", waits: true, keepsAll: true, fileSystem: disk) { event in
            self.problems.withLock { $0.append(event) }
        }
        disk.state.withLock { $0.failure = ENOSPC }
        let isDone = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        let presentation = Feed(nil, consumers: [mirror]).presentation
        Thread.detachNewThread {
            var feed = Feed(presentation)
            // Of the second it is known that the first is not written.
            for _ in 0..<2 { try? feed.publish(gaps: []) }
            isDone.withLock { $0 = true }
            done.signal()
        }
        while events.isEmpty { await Task.yield() }
        #expect(!isDone.withLock { $0 })
        disk.state.withLock { $0.failure = nil }
        await Self.waiting(for: done)
        presentation.finish()
        let segments = disk.files.keys.filter { $0.hasPrefix("out/./video-1080p/100") }
        #expect(Set(segments) == ["out/./video-1080p/1000.m4s", "out/./video-1080p/1001.m4s"])
        #expect(!mirror.isIncomplete)
        #expect(events == [.began(.unwritten), .ended(.unwritten)])
    }

    @Test func whoIsToldToEndWaitsForNoDisk() throws {
        let disk = MemoryFileSystem()
        let mirror = try DirectoryMirror(directory: "out", waits: true, keepsAll: true, fileSystem: disk) { _ in }
        disk.state.withLock { $0.failure = ENOSPC }
        mirror.release()
        var feed = Feed(nil, consumers: [mirror])
        try publish(1, &feed)
        #expect(mirror.isIncomplete)
    }

    /// Files that are written need not be in memory.
    @Test func whatIsWrittenIsReadFromThere() throws {
        let mirror = try mirror()
        let segment = "video-1080p/\(Feed.firstNumber).m4s"
        #expect(mirror.holds(segment) == nil)
        var feed = Feed(nil, consumers: [mirror])
        try publish(1, &feed)
        #expect(mirror.holds(segment) == true)
        #expect(try mirror.read(segment, 0..<5) == ByteBuffer(string: "video"))
        #expect(mirror.holds("video-1080p/\(Feed.firstNumber + 1).m4s") == nil)
    }

    private static func waiting(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}

extension MirrorEvent {
    fileprivate enum Kind: Hashable {
        case began(MirrorProblem)
        case ended(MirrorProblem)
    }

    fileprivate var kind: Kind {
        switch self {
        case .began(let problem, _): .began(problem)
        case .ended(let problem): .ended(problem)
        }
    }
}
