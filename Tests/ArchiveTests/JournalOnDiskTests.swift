import Archive
import Foundation
import MediaCore
import Presentation
import TestSupport
import Testing

@Suite struct JournalOnDiskTests {
    /// Runs a test in a directory of its own.
    private func inDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await body(directory)
    }

    @Test func aDirectoryThatIsAFileIsSaid() async throws {
        try await inDirectory { directory in
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

    @Test func aJournalOnARealDiskIsReadAgain() async throws {
        try await inDirectory { directory in
            @Sendable func open() throws -> (journal: Journal, restored: RestoredWindow?) {
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
            // The thread that has written for the first may hold it, and with it the directory, for a moment longer.
            let next = try await eventually(within: 20, "the directory is free") { try open() }
            let successor = Feed(nil, restored: next.restored)
            #expect(successor.playlists == playlists)
        }
    }
}
