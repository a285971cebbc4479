import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Presentation

/// The start of a process from the journal of an earlier one, of another configuration or version.
@Suite struct JournalStartTests {
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        configuration: [String: String] = ["clock": "pts"],
        defaults: [String: String] = [:]
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        try disk.openJournal(configuration: configuration, defaults: defaults, onEvent: events.append)
    }

    @Test(arguments: [
        (["clock": "arrival", "window": "60"], "clock was pts and is arrival"),
        (["clock": "pts"], "window was 60 and is not set"),
        (["clock": "pts", "window": "60", "zone": "1"], "zone was not set and is 1"),
    ])
    func anotherConfigurationBeginsAnew(configuration: [String: String], difference: String) throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk, configuration: ["clock": "pts", "window": "60"]).journal)
        try feed.publish(count: 3)
        let (journal, restored) = try open(disk, configuration: configuration)
        #expect(restored == nil)
        #expect(events.texts == ["the journal starts anew: \(difference)"])
        var second = Feed(journal, seed: 2)
        try second.publish(count: 3)
        #expect(try open(disk, configuration: configuration).restored?.window == second.presentation.saved)
    }

    @Test func whatAnEarlierVersionDidNotSayIsAtItsDefault() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk, configuration: ["clock": "pts"]).journal)
        try feed.publish(count: 3)
        let configuration = ["clock": "pts", "format": "fmp4"]
        let restored = try open(disk, configuration: configuration, defaults: ["format": "fmp4"]).restored
        #expect(restored?.window == feed.presentation.saved)
        #expect(try open(disk, configuration: configuration, defaults: ["format": "ts"]).restored == nil)
    }

    @Test func aDamagedJournalIsToldAndReplaced() throws {
        let disk = MemoryFileSystem(["state/live/journal-0": Array("nonsense".utf8)])
        var feed = Feed(try open(disk).journal)
        #expect(events.texts == ["the journal starts anew: state/live/journal-0 is damaged"])
        try feed.publish(count: 2)
        #expect(try open(disk).restored?.window == feed.presentation.saved)
    }

    @Test func aJournalOfALaterVersionIsNotTakenOver() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        try feed.publish()
        var header = JournalHeader(generation: 9, configuration: ["clock": "pts"], window: feed.presentation.saved)
        let later = JournalHeader.currentVersion + 1
        header.version = later
        var text = JournalText()
        let line = Array(try text.line(header).readableBytesView)
        disk.state.withLock { $0.files["state/live/journal-1"] = line }
        let (journal, restored) = try open(disk)
        #expect(restored == nil)
        let versions = "version \(later), and this packager reads versions up to \(later - 1)"
        #expect(events.texts == ["the journal starts anew: it has \(versions)"])
        var second = Feed(journal)
        try second.publish()
        #expect(try open(disk).restored?.window == second.presentation.saved)
    }

    /// Version 1 had all keys in each change.
    @Test func aJournalOfVersion1GoesOnAsOneOfTheCurrentVersion() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        try feed.publish()
        var written = feed.presentation.saved
        var (text, lines) = (JournalText(), [UInt8]())
        var header = JournalHeader(generation: 5, configuration: ["clock": "pts"], window: written)
        header.version = 1
        lines += try text.line(header).readableBytesView
        for _ in 0..<9 {
            try feed.publish()
            let window = feed.presentation.saved
            var change = try #require(window.change(since: written))
            change.record = SlotRecord(try #require(window.window.last), after: nil)
            lines += try text.line(change).readableBytesView
            written = window
        }
        disk.state.withLock { state in
            state.files["state/live/journal-0"] = lines
            state.files["state/live/journal-1"] = []
        }
        let (journal, restored) = try open(disk)
        #expect(try #require(restored).window == written)
        var second = Feed(journal, seed: 2, restored: restored)
        #expect(second.playlists == feed.playlists)
        try second.publish(count: 4)
        #expect(events.texts == [])
        #expect(try open(disk).restored?.window == second.presentation.saved)
        let newest = ByteBuffer(bytes: try #require(disk.files["state/live/journal-1"]))
        #expect(try JournalContents(reading: newest).window == second.presentation.saved)
        #expect(String(buffer: newest).contains(#""generation":6,"version":\#(JournalHeader.currentVersion),"#))
    }
}
