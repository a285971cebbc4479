import Archive
import Foundation
import MediaCore
import Presentation
import Testing

@Suite struct JournalOnDiskTests {
    /// Runs a test in a directory of its own.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    @Test func aDirectoryThatIsAFileIsSaid() throws {
        try inDirectory { directory in
            try Data().write(to: URL(filePath: "\(directory)/file"))
            let error = #expect(throws: JournalError.self) {
                try Journal.open(
                    directory: "\(directory)/file",
                    channel: "live",
                    configuration: [:],
                    segmentDuration: MediaTime(seconds: 4),
                    onEvent: { _ in }
                )
            }
            #expect(
                error?.description
                    == "the state directory cannot be used: make directory \(directory)/file/live: Not a directory"
            )
        }
    }

    @Test func aJournalOnARealDiskIsReadAgain() throws {
        try inDirectory { directory in
            func open() throws -> (journal: Journal, restored: RestoredWindow?) {
                try Journal.open(
                    directory: directory,
                    channel: "live",
                    configuration: ["clock": "pts"],
                    segmentDuration: MediaTime(seconds: 4),
                    onEvent: { Issue.record("\($0)") }
                )
            }
            var feed: Feed
            do {
                let journal = try open().journal
                feed = Feed(journal, seed: 4)
                try feed.publish(count: 40)
                feed.presentation.finish()
                journal.finish()
                let presentation = feed.presentation
                let restored = try #require(presentation.saved.lastNumber)
                #expect(restored.value == 1039)
            }
            let playlists = feed.playlists
            feed = Feed(nil)
            let successor = Feed(nil, restored: try open().restored)
            #expect(successor.playlists == playlists)
        }
    }
}
