import Dispatch
import Files
import Glibc
import MediaCore
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

@Suite struct JournalTests {
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        segmentDuration: MediaTime = MediaTime(seconds: 240),
        capacity: Int = 20_000
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        try disk.openJournal(segmentDuration: segmentDuration, capacity: capacity, onEvent: events.append)
    }

    @Test func theNextProcessGoesOnWhereThisOneEnded() throws {
        let disk = MemoryFileSystem()
        let (journal, nothing) = try open(disk)
        #expect(nothing == nil)
        var feed = Feed(journal)
        try feed.publish(count: 20)
        let restored = try #require(try open(disk).restored)
        let successor = Feed(nil, restored: restored)
        #expect(successor.playlists == feed.playlists)
        #expect(successor.number == feed.number)
        for file in restored.window.files {
            let (old, new) = (feed.presentation, successor.presentation)
            #expect(new.resource(file.path, now: feed.now) == old.resource(file.path, now: feed.now))
        }
        #expect(events.all.isEmpty && journal.health.isHealthy)
        #expect(journal.statistics == Journal.Statistics(written: 20, late: 0, unwritten: 0, lostFiles: 0))
    }

    @Test func aWindowThatCameFromElsewhereIsKeptWithTheFirstPublication() throws {
        let (here, there) = (MemoryFileSystem(), MemoryFileSystem())
        var peer = Feed(try open(there).journal)
        try peer.publish(count: 9)
        let window = try #require(try open(there).restored)
        let journal = try open(here).journal
        var feed = Feed(journal, seed: 2, restored: window)
        try feed.publish(gaps: [])
        let successor = Feed(nil, restored: try open(here).restored)
        #expect(successor.playlists == feed.playlists)
        #expect(successor.presentation.saved.numbers.count == feed.presentation.saved.numbers.count)
    }

    /// Damage to a state directory is reported in words that name it.
    @Test(arguments: [
        ("zeroed", "starts anew: its index is missing"), ("truncated", "starts anew: its index is missing"),
        ("flipped", "the records end at slot"), ("media removed", "segments and initialization sections are missing"),
        ("segment flipped", "1 of "), ("nothing", ""),
    ])
    func whatIsLostIsSaid(damage: String, words: String) throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk, capacity: 1 << 20).journal)
        try feed.publish(count: 20)
        let newest = try #require(feed.presentation.saved.files.last { $0.path.hasSuffix(".m4s") }?.path)
        disk.state.withLock { state in
            for path in ["state/live/journal-0", "state/live/journal-1"] {
                guard var file = state.files[path] else { continue }
                switch damage {
                case "zeroed": file = Array(repeating: 0, count: file.count)
                case "truncated": file = []
                case "flipped":
                    // In the third line behind the header.
                    let lines = file.indices.filter { file[$0] == UInt8(ascii: "\n") }
                    if lines.count > 3 { file[lines[2] + 40] ^= 1 }
                default: break
                }
                state.files[path] = file
            }
            for path in state.files.keys where path.contains("/media/") {
                if damage == "media removed" { state.files[path] = nil }
                if damage == "segment flipped", path.hasSuffix(newest) { state.files[path]?[0] ^= 1 }
            }
        }
        _ = try open(disk, capacity: 1 << 20)
        #expect(events.texts.isEmpty == (damage == "nothing"))
        #expect(damage == "nothing" || events.texts.contains { $0.contains(words) }, "\(events.texts)")
    }

    @Test func noMoreIsReadThanMayBeHeldAndThatIsNoLoss() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        try feed.publish(count: 20)
        disk.state.withLock { $0.locks = [] }
        let (_, restored) = try Journal.open(
            directory: "state",
            channel: "live",
            configuration: ["clock": "pts"],
            segmentDuration: MediaTime(seconds: 4),
            maximumBytes: 100,
            fileSystem: disk,
            onEvent: events.append
        )
        let bodies = try #require(restored?.bodies)
        #expect((50...130).contains(bodies.values.reduce(0) { $0 + $1.readableBytes }))
        #expect(bodies.count < feed.presentation.saved.files.count)
        #expect(events.texts.isEmpty)
    }

    @Test func theFilesOnTheDiskAreThoseThatTheWindowNames() throws {
        let disk = MemoryFileSystem(["state/live/media/video-1080p/1.m4s": [1], "state/live/media/gone/2.m4s": [2]])
        var feed = Feed(try open(disk).journal)
        for slot in 1...30 {
            try feed.publish()
            let named = feed.presentation.saved.files.map { "state/live/media/\($0.path)" }
            #expect(Set(disk.files.keys) == Set(named + ["state/live/journal-0", "state/live/journal-1"]), "\(slot)")
        }
    }

    @Test func bothFilesAreWrittenInTurnAndStayAsLongAsTheyAre() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        var generations: [Int] = []
        for _ in 0..<100 {
            try feed.publish()
            let all = try [0, 1].compactMap { try disk.read("state/live/journal-\($0)", limit: 1 << 30) }
            #expect(all.map(\.readableBytes).allSatisfy { $0 == all[0].readableBytes || $0 >= 20_000 })
            let newest = all.compactMap { try? JournalContents(reading: $0) }.max { $0.generation < $1.generation }
            #expect(newest?.window == feed.presentation.saved)
            generations.append(newest?.generation ?? 0)
        }
        #expect(generations == generations.sorted())
        #expect((3..<50).contains(generations.last ?? 0))
    }

    /// Every call to the operating system may be the last one, and half made.
    @Test func aKilledProcessLosesNothingThatWasVisible() throws {
        let disk = MemoryFileSystem()
        disk.state.withLock { $0.history = [] }
        var feed = Feed(try open(disk, capacity: 6000).journal, seed: 9)
        var visible = feed.playlists
        for _ in 0..<11 {
            try feed.publish()
            let next = feed.playlists
            for files in disk.takeHistory() {
                let successor = MemoryFileSystem(files)
                let (journal, restored) = try open(successor, capacity: 6000)
                var second = Feed(journal, restored: restored)
                let found = second.presentation.playlists(now: feed.now)
                #expect(found == visible || found == next)
                // Killed again after another slot.
                try second.publish(gaps: [])
                let third = try open(successor, capacity: 6000).restored
                #expect(third?.window == second.presentation.saved)
                #expect(third?.bodies.count == third?.window.files.count)
            }
            visible = next
        }
    }

    @Test func whatAKilledProcessLeftHalfWrittenIsWrittenAnew() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        try feed.publish(gaps: [])
        // The bytes of the next slot are there, and nothing names them.
        disk.state.withLock { $0.files["state/live/media/video-1080p/1001.m4s"] = [1, 2, 3] }
        let (journal, restored) = try open(disk)
        var second = Feed(journal, restored: restored)
        try second.publish(gaps: [])
        let third = Feed(nil, restored: try open(disk).restored)
        #expect(third.presentation.saved.numbers.count == 2)
        #expect(third.playlists == second.playlists)
    }

    @Test func bytesThatAreNotWhatWasWrittenAreLost() throws {
        let disk = MemoryFileSystem()
        var feed = Feed(try open(disk).journal)
        for _ in 0..<6 { try feed.publish(gaps: []) }
        disk.state.withLock { $0.files["state/live/media/video-1080p/1002.m4s"]?[0] ^= 1 }
        let restored = try #require(try open(disk).restored)
        #expect(restored.bodies["video-1080p/1002.m4s"] == nil)
        #expect(restored.window == feed.presentation.saved)
        #expect(Feed(nil, restored: restored).presentation.saved.numbers.lowerBound.value == 1003)
    }

    @Test func onAFullDiskTheLinesAreWrittenAndTheSegmentsAreLost() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk).journal
        var feed = Feed(journal)
        for _ in 0..<6 { try feed.publish(gaps: []) }
        disk.state.withLock { state in
            state.files["filler"] = Array(repeating: 0, count: 100)
            state.capacity = state.files.values.reduce(0) { $0 + $1.count }
        }
        try feed.publish(gaps: [])
        // Segments that have left the window make no room here.
        disk.state.withLock { $0.capacity = 0 }
        for _ in 0..<60 { try feed.publish(gaps: []) }
        #expect(journal.statistics.written == 67 && journal.statistics.unwritten == 0)
        #expect(journal.statistics.lostFiles >= 120)
        #expect(!journal.health.isHealthy)
        let restored = try #require(try open(MemoryFileSystem(disk.files)).restored)
        #expect(restored.window == feed.presentation.saved)
        #expect(Feed(nil, restored: restored).presentation.saved.numbers.isEmpty)

        disk.state.withLock { $0.capacity = .max }
        for _ in 0..<6 { try feed.publish(gaps: []) }
        #expect(journal.health.isHealthy)
        #expect(Feed(nil, restored: try open(disk).restored).playlists == feed.playlists)
        let lost = events.texts.filter { $0.hasPrefix("some of what was published before is lost") }
        #expect(lost.count == 1)
        #expect(
            events.texts.filter { !lost.contains($0) } == [
                "segments cannot be kept for a restart: write state/live/media/video-1080p/1006.m4s: "
                    + "No space left on device",
                "segments are kept for a restart again",
            ]
        )
    }

    @Test func aDiskThatIsFullFromTheBeginningIsToldAndTriedAgain() throws {
        let disk = MemoryFileSystem()
        disk.state.withLock { $0.capacity = 100 }
        let journal = try open(disk).journal
        var feed = Feed(journal)
        try feed.publish(count: 3)
        #expect(journal.statistics.unwritten == 3)
        #expect(!journal.health.isHealthy)
        #expect(feed.presentation.saved.numbers.count == 3)
        disk.state.withLock { $0.capacity = .max }
        try feed.publish(gaps: [])
        #expect(journal.health.isHealthy)
        #expect(try open(disk).restored?.window == feed.presentation.saved)
        #expect(
            events.texts.contains(
                "the journal cannot be written: reserve state/live/journal-0: No space left on device"
            )
        )
        #expect(events.texts.dropLast().last == "the journal can be written again")
        // What was published before there was room is not there.
        #expect(events.texts.last?.contains("are missing or damaged") == true)
    }

    @Test(arguments: [1, 2, 3, 7, 20])
    func afterWritesThatFailedTheWholeWindowIsWrittenAgain(failures: Int) throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk, capacity: 6000).journal
        var feed = Feed(journal, seed: UInt64(failures))
        try feed.publish(count: 5)
        let before = feed.presentation.saved
        disk.state.withLock { $0.failure = EIO }
        try feed.publish(count: failures)
        #expect(try open(MemoryFileSystem(disk.files), capacity: 6000).restored?.window == before)
        disk.state.withLock { $0.failure = nil }
        try feed.publish()
        #expect(try open(MemoryFileSystem(disk.files), capacity: 6000).restored?.window == feed.presentation.saved)
        #expect(
            journal.statistics
                == .init(written: 6, late: 0, unwritten: failures, lostFiles: journal.statistics.lostFiles)
        )
    }

    @Test func aDiskThatStandsStillHoldsUpNothingForLong() throws {
        let gate = DispatchSemaphore(value: 0)
        let disk = MemoryFileSystem(onWrite: { gate.wait() })
        // Patience is 1 ms.
        let journal = try open(disk, segmentDuration: MediaTime(milliseconds: 4)).journal
        var feed = Feed(journal, isPatient: false)
        for _ in 0..<20 { try feed.publish(gaps: []) }
        #expect(feed.presentation.saved.numbers.upperBound.value == 1020)
        #expect(journal.statistics.late == 20)
        // Only so many wait in memory.
        #expect(journal.statistics.unwritten == 12)
        #expect(!journal.health.isHealthy)
        for _ in 0..<1000 { gate.signal() }
        feed.presentation.finish()
        #expect(journal.statistics.written == 8)
        // The window stands for those that were missed, and what they brought is there.
        let window = try open(MemoryFileSystem(disk.files)).restored
        #expect(window?.window == feed.presentation.saved)
        #expect(window?.bodies.count == window?.window.files.count)
        try feed.publish(gaps: [])
        feed.presentation.finish()
        let restored = try open(MemoryFileSystem(disk.files)).restored
        #expect(restored?.window == feed.presentation.saved)
        #expect(events.texts.first == "the journal is late: the disk takes longer than 0.001 seconds for a slot")
    }

    @Test(arguments: [(240, 1000), (4, 1000), (2, 500), (1, 250)])
    func aPublicationWaitsForAQuarterOfASlotAndForASecondAtMost(seconds: Int64, milliseconds: Int64) throws {
        let journal = try open(MemoryFileSystem(), segmentDuration: MediaTime(seconds: seconds)).journal
        #expect(journal.patience == .milliseconds(milliseconds))
    }

    @Test func whatIsWrittenReachesTheDisk() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk).journal
        var feed = Feed(journal)
        try feed.publish(gaps: [])
        journal.finish()
        let files = feed.presentation.saved.files.map { "state/live/media/\($0.path)" }
        #expect(disk.state.withLock { $0.synchronized } == Set(files + ["state/live/journal-0"]))
    }

    @Test func aDirectoryHasOneWriter() throws {
        let disk = MemoryFileSystem()
        _ = try open(disk)
        #expect(throws: JournalError.inUse(directory: "state/live")) {
            try Journal.open(
                directory: "state",
                channel: "live",
                configuration: [:],
                segmentDuration: MediaTime(seconds: 4),
                fileSystem: disk,
                onEvent: { _ in }
            )
        }
    }
}
