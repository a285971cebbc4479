import Foundation
import NIOCore
import Synchronization
import Testing

@testable import Packaging
@testable import Presentation

@Suite final class DirectoryMirrorTests: Sendable {
    private let root: URL
    private let problems = Mutex<[DirectoryMirror.FileError]>([])

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private func mirror(_ path: String = "", waits: Bool = true) throws -> DirectoryMirror {
        try DirectoryMirror(directory: root.path + path, waits: waits) { error in
            self.problems.withLock { $0.append(error) }
        }
    }

    private static func change(_ path: String, _ text: String?) -> ResourceChange {
        let resource = text.map {
            Resource(kind: .segment, body: ByteBuffer(string: $0), contentType: "video/mp4", entityTag: "")
        }
        return ResourceChange(path: path, resource: resource)
    }

    private static func apply(_ changes: [ResourceChange], to mirror: DirectoryMirror) -> Bool {
        mirror.apply { changes }
    }

    /// The operations that failed.
    private var failures: [String] { problems.withLock { $0.map(\.operation) } }

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
        #expect(Self.apply([Self.change("video/1.m4s", "one"), Self.change("index.m3u8", "1")], to: mirror))
        #expect(Self.apply([Self.change("video/2.m4s", "two"), Self.change("index.m3u8", "1 2")], to: mirror))
        #expect(Self.apply([Self.change("video/1.m4s", nil), Self.change("index.m3u8", "2")], to: mirror))
        mirror.finish()
        #expect(try files() == ["video/2.m4s": "two", "index.m3u8": "2"])
        #expect(failures.isEmpty)
    }

    @Test func aFileIsReplacedAsAWholeAndNeverWrittenInto() throws {
        let mirror = try mirror()
        #expect(Self.apply([Self.change("index.m3u8", "old")], to: mirror))
        mirror.finish()
        // Whoever has the old file open reads the old file to its end.
        let reader = try FileHandle(forReadingFrom: root.appending(path: "index.m3u8"))
        #expect(Self.apply([Self.change("index.m3u8", "new and longer")], to: mirror))
        mirror.finish()
        #expect(try reader.readToEnd() == Data("old".utf8))
        #expect(try files() == ["index.m3u8": "new and longer"])
    }

    @Test func theDirectoryIsMadeWithItsParents() throws {
        let mirror = try mirror("/a/b")
        #expect(Self.apply([Self.change("c/d.m4s", "")], to: mirror))
        mirror.finish()
        #expect(try files() == ["a/b/c/d.m4s": ""])
    }

    @Test func removingWhatIsNotThereIsNoProblem() throws {
        let mirror = try mirror()
        #expect(Self.apply([Self.change("video/1.m4s", nil)], to: mirror))
        mirror.finish()
        #expect(failures.isEmpty)
    }

    @Test func aDirectoryThatCannotBeMadeIsRefusedAtOnce() throws {
        try Data().write(to: root.appending(path: "file"))
        let error = try #require(throws: DirectoryMirror.FileError.self) { try self.mirror("/file/below") }
        #expect(error.operation == "make directory" || error.operation == "write to")
        #expect(error.description.contains("/file"))
    }

    @Test func aFileThatCannotBeWrittenIsReportedAndTheOthersAreWritten() throws {
        // A directory stands where the file belongs.
        let directory = root.appending(path: "index.m3u8/full")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let mirror = try mirror()
        #expect(Self.apply([Self.change("index.m3u8", "text"), Self.change("1.m4s", "one")], to: mirror))
        mirror.finish()
        #expect(try files() == ["1.m4s": "one"])
        #expect(failures == ["rename"])
    }

    @Test func aLiveFeedsChangesAreLeftForLaterWhileTheQueueIsFull() throws {
        let release = DispatchSemaphore(value: 0)
        try FileManager.default.createDirectory(
            at: root.appending(path: "blocked/full"),
            withIntermediateDirectories: true
        )
        let mirror = try DirectoryMirror(directory: root.path, waits: false) { _ in release.wait() }
        #expect(Self.apply([Self.change("blocked", "")], to: mirror))
        var accepted = 1
        while Self.apply([Self.change("\(accepted).m4s", "")], to: mirror), accepted < 1_000 { accepted += 1 }
        #expect(accepted == 64)
        // What there is no room for is not even asked for, so that it is not lost.
        var asked = false
        let hadRoom = mirror.apply {
            asked = true
            return []
        }
        #expect(!hadRoom)
        #expect(!asked)
        release.signal()
        mirror.finish()
        #expect(Self.apply([Self.change("later.m4s", "")], to: mirror))
        mirror.finish()
        #expect(try files().count == 64)
    }

    @Test func noChangesTakeNoRoom() throws {
        let mirror = try mirror(waits: false)
        for _ in 0..<200 { #expect(Self.apply([], to: mirror)) }
    }
}
