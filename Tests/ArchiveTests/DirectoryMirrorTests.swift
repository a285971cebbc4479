import Files
import Foundation
import NIOCore
import Synchronization
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

    private static func change(_ path: String, _ text: String?) -> ResourceChange {
        let resource = text.map {
            Resource(kind: .segment, body: .memory(ByteBuffer(string: $0)), contentType: "video/mp4", entityTag: "")
        }
        return ResourceChange(path: path, resource: resource)
    }

    private static func apply(_ changes: [ResourceChange], to mirror: DirectoryMirror) {
        let changes = Mutex(changes)
        mirror.mayHaveChanged {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    private static func playlist(_ uris: String...) -> String {
        "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n"
            + uris.map { "#EXT-X-PROGRAM-DATE-TIME:2026-11-22T00:00:00Z\n#EXTINF:4,\n\($0)\n" }.joined()
    }

    /// What was told, by kind.
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

    @Test func filesAreWrittenReplacedAndRemovedInTheirOrder() throws {
        let mirror = try mirror()
        let (first, second, third) = (
            Self.playlist("video-1p/1.m4s"), Self.playlist("video-1p/1.m4s", "video-1p/2.m4s"),
            Self.playlist("video-1p/2.m4s")
        )
        Self.apply([Self.change("video-1p/1.m4s", "one"), Self.change("video-1p.m3u8", first)], to: mirror)
        Self.apply([Self.change("video-1p/2.m4s", "two"), Self.change("video-1p.m3u8", second)], to: mirror)
        Self.apply([Self.change("video-1p/1.m4s", nil), Self.change("video-1p.m3u8", third)], to: mirror)
        mirror.finish()
        #expect(try files() == ["video-1p/2.m4s": "two", "video-1p.m3u8": third])
        #expect(events.isEmpty)
        #expect(mirror.health.isHealthy)
    }

    @Test func aFileIsReplacedAsAWholeAndNeverWrittenInto() throws {
        let mirror = try mirror()
        Self.apply([Self.change("index.m3u8", "old")], to: mirror)
        mirror.finish()
        // Whoever has the old file open reads the old file to its end.
        let reader = try FileHandle(forReadingFrom: root.appending(path: "index.m3u8"))
        Self.apply([Self.change("index.m3u8", "new and longer")], to: mirror)
        mirror.finish()
        #expect(try reader.readToEnd() == Data("old".utf8))
        #expect(try files() == ["index.m3u8": "new and longer"])
    }

    @Test func theDirectoryIsMadeWithItsParents() throws {
        let mirror = try mirror("/a/b")
        Self.apply([Self.change("c/d.m4s", "")], to: mirror)
        mirror.finish()
        #expect(try files() == ["a/b/c/d.m4s": ""])
    }

    /// What never changes is there before the first playlist names it, and stays.
    @Test func constantsAreThereFromTheStartOn() throws {
        try Data("old".utf8).write(to: root.appending(path: "names.json"))
        let constants = ["names.json": ByteBuffer(string: "{}")]
        let mirror = try DirectoryMirror(directory: root.path, constants: constants, waits: true) { _ in }
        #expect(try files() == ["names.json": "{}"])
        Self.apply([Self.change("index.m3u8", "new")], to: mirror)
        mirror.finish()
        #expect(try files() == ["names.json": "{}", "index.m3u8": "new"])
    }

    @Test func removingWhatIsNotThereIsNoProblem() throws {
        let mirror = try mirror()
        Self.apply([Self.change("video/1.m4s", nil)], to: mirror)
        mirror.finish()
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
        let directory = root.appending(path: "video-1p/1.m4s/full")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let mirror = try mirror()
        let playlist = Self.playlist("video-1p/1.m4s", "video-1p/2.m4s")
        Self.apply([Self.change("video-1p/1.m4s", "one"), Self.change("video-1p/2.m4s", "two")], to: mirror)
        Self.apply([Self.change("video-1p.m3u8", playlist)], to: mirror)
        mirror.finish()
        #expect(try files() == ["video-1p/2.m4s": "two"])
        #expect(events == [.began(.unwritten)])
        #expect(mirror.health.problem?.contains("1.m4s") == true)
        try FileManager.default.removeItem(at: directory.deletingLastPathComponent())
        mirror.finish()
        #expect(try files() == ["video-1p/1.m4s": "one", "video-1p/2.m4s": "two", "video-1p.m3u8": playlist])
        #expect(events == [.began(.unwritten), .ended(.unwritten)])
        #expect(mirror.health.isHealthy)
    }

    @Test func aDiskThatStandsStillHoldsUpNoLiveFeedAndLosesNothing() throws {
        let (isWriting, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let disk = MemoryFileSystem {
            isWriting.signal()
            release.wait()
        }
        release.signal()
        let mirror = try DirectoryMirror(directory: "out", waits: false, fileSystem: disk) { event in
            self.problems.withLock { $0.append(event) }
        }
        isWriting.wait()
        let asked = Mutex(0)
        let waiting = Mutex<[ResourceChange]>([])
        for number in 1...1000 {
            waiting.withLock { $0.append(Self.change("\(number).m4s", "")) }
            mirror.mayHaveChanged {
                asked.withLock { $0 += 1 }
                return waiting.withLock { changes in
                    defer { changes = [] }
                    return changes
                }
            }
            if number == 1 { isWriting.wait() }
        }
        // The changes of the time in which nothing could be written are asked for at once, and lost by nobody.
        #expect(asked.withLock { $0 } == 1)
        for _ in 0..<1000 { release.signal() }
        mirror.finish()
        #expect(disk.files.count == 1000)
        #expect(asked.withLock { $0 } == 2)
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
        let mirror = try mirror()
        #expect(
            try Set(files().keys)
                == Set(old + foreign + ["video-180p.m3u8", "video-180p-iframes.m3u8", "audio-en.m3u8"])
        )
        let playlist = Self.playlist("video-180p/30000000.m4s")
        Self.apply(
            [Self.change("video-180p/30000000.m4s", "new"), Self.change("video-180p.m3u8", playlist)],
            to: mirror
        )
        mirror.finish()
        #expect(try Set(files().keys) == Set(foreign + ["video-180p/30000000.m4s", "video-180p.m3u8"]))
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
        let mirror = try mirror()
        Self.apply([], to: mirror)
        mirror.finish()
        #expect(try files() == old)
    }

    @Test func whatIsInTheWayOfAFileIsReplacedAndNeverWrittenThrough() throws {
        let victim = root.appending(path: "victim")
        try Data("victim".utf8).write(to: victim)
        let mirror = try mirror("/out")
        symlink("../victim", root.path + "/out/index.m3u8.new")
        symlink("../victim", root.path + "/out/video-1p.m3u8")
        mkfifo(root.path + "/out/audio.m3u8.new", 0o644)
        mkfifo(root.path + "/out/audio.m3u8", 0o644)
        let names = ["index.m3u8", "video-1p.m3u8", "audio.m3u8"]
        Self.apply(names.map { Self.change($0, "text") }, to: mirror)
        mirror.finish()
        let text = ["out/index.m3u8", "out/video-1p.m3u8", "out/audio.m3u8"]
        #expect(try files() == Dictionary(uniqueKeysWithValues: text.map { ($0, "text") } + [("victim", "victim")]))
        #expect(events.isEmpty)
    }

    @Test func aFolderThatIsALinkIsRefusedInWords() throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: "elsewhere"),
            withIntermediateDirectories: true
        )
        let mirror = try mirror("/out")
        symlink("../elsewhere", root.path + "/out/video-1p")
        Self.apply([Self.change("video-1p/1.m4s", "text")], to: mirror)
        mirror.finish()
        #expect(try files().isEmpty)
        #expect(mirror.health.problem?.contains("video-1p: a symbolic link has its name") == true)
    }

    @Test func theDirectoryItselfMayBeALink() throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: "elsewhere"),
            withIntermediateDirectories: true
        )
        symlink("elsewhere", root.path + "/out")
        let mirror = try mirror("/out")
        Self.apply([Self.change("video-1p/1.m4s", "text")], to: mirror)
        mirror.finish()
        #expect(try files()["elsewhere/video-1p/1.m4s"] == "text")
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
        Thread.detachNewThread {
            Self.apply([Self.change("video-1p/1.m4s", "one")], to: mirror)
            // Of the second it is known that the first is not written.
            Self.apply([Self.change("video-1p/2.m4s", "two")], to: mirror)
            isDone.withLock { $0 = true }
            done.signal()
        }
        while events.isEmpty { await Task.yield() }
        #expect(!isDone.withLock { $0 })
        disk.state.withLock { $0.failure = nil }
        await Self.waiting(for: done)
        mirror.finish()
        #expect(Set(disk.files.keys) == ["out/./video-1p/1.m4s", "out/./video-1p/2.m4s"])
        #expect(!mirror.isIncomplete)
        #expect(events == [.began(.unwritten), .ended(.unwritten)])
    }

    @Test func whoIsToldToEndWaitsForNoDisk() throws {
        let disk = MemoryFileSystem()
        let mirror = try DirectoryMirror(directory: "out", waits: true, keepsAll: true, fileSystem: disk) { _ in }
        disk.state.withLock { $0.failure = ENOSPC }
        mirror.release()
        Self.apply([Self.change("video-1p/1.m4s", "one")], to: mirror)
        mirror.finish()
        #expect(mirror.isIncomplete)
    }

    /// What is written need not be in memory.
    @Test func whatIsWrittenIsReadFromThere() throws {
        let mirror = try mirror()
        #expect(mirror.holds("video-1p/1.m4s") == nil)
        Self.apply([Self.change("video-1p/1.m4s", "0123456789")], to: mirror)
        mirror.finish()
        #expect(mirror.holds("video-1p/1.m4s") == true)
        #expect(try mirror.read("video-1p/1.m4s", 2..<5) == ByteBuffer(string: "234"))
        #expect(mirror.holds("video-1p/2.m4s") == nil)
    }

    private static func waiting(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test func noChangesAreNoWork() throws {
        let mirror = try mirror(waits: false)
        for _ in 0..<200 { Self.apply([], to: mirror) }
        mirror.finish()
        #expect(try files().isEmpty)
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
