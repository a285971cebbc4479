import MediaCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// A journal that was kept while the channel had another master secret.
@Suite struct NewSecretTests {
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        secret: String,
        _ newSecret: NewSecret = .refused,
        window: String = "24"
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        disk.state.withLock { $0.locks = [] }
        let opened = try Journal.open(
            directory: "state",
            channel: "live",
            configuration: ["clock": "pts", NewSecret.name: secret, "window": window],
            newSecret: newSecret,
            segmentDuration: MediaTime(seconds: 240),
            capacity: 20_000,
            fileSystem: disk,
            onEvent: events.append
        )
        // The next process continues with the window.
        opened.journal.reportLosses()
        return opened
    }

    /// A disk with the window of a channel whose segments are all encrypted.
    private func kept() throws -> (disk: MemoryFileSystem, feed: Feed) {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk, secret: "one").journal)
        try feed.publish(count: 20)
        return (disk, feed)
    }

    @Test(arguments: ["24", "30"]) func nothingStartsAndNothingIsTouched(window: String) throws {
        let (disk, feed) = try kept()
        let before = disk.files
        // Not even where another window would begin anyway: the secret is wrong, or nobody has noticed.
        let error = #expect(throws: JournalError.self) { try open(disk, secret: "two", window: window) }
        #expect(error == .anotherSecret(was: "one", is: "two"))
        #expect(error?.description.contains("--accept-new-secret") == true)
        #expect(disk.files == before && events.all.isEmpty)
        let restored = try #require(try open(disk, secret: "one").restored)
        #expect(Feed(nil, restored: restored).playlists == feed.playlists)
    }

    @Test func onceAcceptedNumbersGoOnWithoutWhatHasNoKeys() throws {
        let (disk, feed) = try kept()
        let saved = feed.presentation.saved
        let (journal, restored) = try open(disk, secret: "two", .accepted(keysAreDerived: true))
        let window = try #require(restored?.window)
        #expect(window.numbers.isEmpty && window.lastNumber == saved.lastNumber && window.files.isEmpty)
        #expect(window.discontinuitySequence >= saved.discontinuitySequence && window.renditions == saved.renditions)
        #expect(window.sessionKeys.isEmpty)
        #expect(events.texts.count == 1 && events.texts[0].contains("\(saved.numbers.count) slots"), "\(events.texts)")
        var successor = Feed(journal, restored: restored)
        try successor.publish(count: 4)
        #expect(successor.presentation.saved.numbers.lowerBound == saved.lastNumber?.next)
        // The secret is the one of the journal from now on.
        let again = try #require(try open(disk, secret: "two").restored)
        #expect(Feed(nil, restored: again).playlists == successor.playlists)
        #expect(throws: JournalError.self) { try open(disk, secret: "one") }
    }

    @Test func keysThatComeFromElsewhereAreStillThere() throws {
        let (disk, feed) = try kept()
        let restored = try #require(try open(disk, secret: "two", .accepted(keysAreDerived: false)).restored)
        #expect(Feed(nil, restored: restored).playlists == feed.playlists)
        #expect(events.all.isEmpty)
    }

    @Test func whatBeginsToBeEncryptedHasNoSecretBefore() throws {
        let disk = MemoryFileSystem()
        let (journal, _) = try Journal.open(
            directory: "state",
            channel: "live",
            configuration: ["clock": "pts", "window": "24"],
            segmentDuration: MediaTime(seconds: 240),
            fileSystem: disk,
            onEvent: events.append
        )
        var feed = Feed(journal)
        try feed.publish(count: 3)
        #expect(try open(disk, secret: "two").restored == nil)
        #expect(events.texts == ["the journal starts anew: key-secret was not set and is two"])
    }
}
