import Files
import Foundation
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

/// The record on disk of recordings that were sent.
@Suite struct RecordingLedgerTests {
    private let directory: TemporaryDirectory
    private let recordings = MadeRecordings()

    init() throws { directory = try TemporaryDirectory() }

    @Test func pagesHaveOneStageAndALimit() throws {
        let ledger = try RecordingLedger(directory: directory.file("ledger"))
        let files = (0..<1000).map { ("\($0)", "") }
        recordings.add("a", [Dictionary(uniqueKeysWithValues: files), ["b": ""]])
        let progress = try ledger.list("a", of: recordings)
        #expect(progress.pages == 3 && progress.objects == 1001)
        #expect(try (0..<4).map { try ledger.page($0, of: "a").count } == [512, 488, 1, 0])
        #expect(try ledger.contents() == ["a": progress])
        ledger.remove("a")
        #expect(try ledger.contents().isEmpty)
    }

    @Test func floodsAreRefused() throws {
        let ledger = try RecordingLedger(directory: "/r", fileSystem: MemoryFileSystem())
        recordings.add("a", [[String(repeating: "a", count: 1025): ""]])
        #expect(throws: RecordingListError.path) { try ledger.list("a", of: recordings) }
        recordings.add("a", [["a\nb": ""]])
        #expect(throws: RecordingListError.path) { try ledger.list("a", of: recordings) }
        #expect(throws: RecordingListError.tooMany) { try ledger.list("a", of: Endless()) }
    }

    private struct Endless: RecordingSource {
        func isThere(_ id: String) -> Bool { true }

        func forEachObject(of id: String, _ body: (_ path: String, _ stage: Int) throws -> Void) throws {
            while true { try body("a", 0) }
        }

        func object(_ path: String, of id: String) -> Body? { nil }
    }

    /// A process that ends while it lists has sent nothing; a power cut may leave a file without its bytes.
    @Test func whatWasNotWrittenToItsEndIsFoundOut() throws {
        let disk = MemoryFileSystem()
        let ledger = try RecordingLedger(directory: "/r", fileSystem: disk)
        for id in ["a", "b"] {
            recordings.add(id)
            _ = try ledger.list(id, of: recordings)
        }
        disk.state.withLock { state in
            state.files["/r/./a/progress.json"] = nil
            state.files["/r/./b/progress.json"] = []
        }
        let contents = try ledger.contents()
        #expect(Array(contents.keys) == ["b"] && contents["b"]?.objects == 6 && contents["b"]?.done == 0)
        var progress = try #require(contents["b"])
        progress.beginRemoval()
        #expect(progress.done == 4)
        #expect(!disk.files.keys.contains { $0.hasPrefix("/r/./a/") })
    }

    /// Objects are deleted by the list alone.
    @Test func theListWithstandsAPowerCutBeforeAnythingIsSent() throws {
        let disk = MemoryFileSystem()
        let ledger = try RecordingLedger(directory: "/r", fileSystem: disk)
        recordings.add("a")
        _ = try ledger.list("a", of: recordings)
        let files = disk.files.keys.filter { $0.hasPrefix("/r/./a/") }
        #expect(files.count == 5)
        #expect(disk.state.withLock { $0.synchronized }.isSuperset(of: files))
    }

    @Test func aListWithoutObjectsIsForgotten() throws {
        let disk = MemoryFileSystem()
        let ledger = try RecordingLedger(directory: "/r", fileSystem: disk)
        recordings.add("a", [])
        #expect(try ledger.list("a", of: recordings).pages == 0)
        #expect(try ledger.contents().isEmpty)
        #expect(!disk.files.keys.contains { $0.hasPrefix("/r/./a/") })
    }

    /// Another process may list it by then.
    @Test func nothingIsListedThatIsNotWanted() throws {
        let disk = MemoryFileSystem()
        let ledger = try RecordingLedger(directory: "/r", fileSystem: disk)
        recordings.add("a")
        #expect(throws: CancellationError.self) {
            try ledger.list("a", of: recordings, isWanted: { false })
        }
        #expect(!disk.files.keys.contains { $0.hasPrefix("/r/./a/") })
    }
}
