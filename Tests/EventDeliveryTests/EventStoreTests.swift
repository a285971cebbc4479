import EventDelivery
import Files
import Foundation
import MediaCore
import Operations
import Playlists
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventStoreTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var file: String { directory.file(EventStore.fileName) }

    /// A store that has some events, and is gone then, as a process is that ends.
    private func leave(_ events: [ChannelEvent], after origin: Int = 100) async {
        let store = Fixture.store(directory)
        _ = await store.open()
        let log = EventLog(after: origin)
        for event in events { log.append(event) }
        #expect(await store.write(from: log))
    }

    /// Waits until those that were left have let go of their files.
    private func closed() async throws {
        _ = try await eventually(within: 20, "nobody has the files") {
            let lock = try LocalFileSystem.confidential.lock(directory.file("events.lock"))
            return lock != nil && !FileManager.default.fileExists(atPath: file + "-wal") ? true : nil
        }
    }

    private func numbers(_ store: EventStore, _ search: EventSearch) async -> [Int]? {
        await store.entries(search)?.map(\.number)
    }

    @Test func whatWasWrittenIsThereForTheNextProcess() async throws {
        var events = (1...5).map { Fixture.event($0) }
        events[2].input = "backup-1"
        events[2].renditions = ["video-1080p", "audio-en"]
        events[2].slot = MediaSequenceNumber(448_815_600)
        events[2].severity = .info
        await leave(events)
        try await closed()
        let store = Fixture.store(directory)
        #expect(await store.open() == 105)
        let entries = try #require(await store.entries(Fixture.search()))
        #expect(entries.map(\.number) == Array(101...105))
        #expect(entries.map(\.event) == events)
        let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(rights == 0o600)
    }

    /// An upgrade starts the next process while the one before it still delivers events.
    @Test func aReaderContinuesWhereTheProcessBeforeItHasEnded() async throws {
        var before: EventStore? = Fixture.store(directory)
        _ = await before?.open()
        let store = Fixture.store(directory, handover: .seconds(60))
        let position = Task { await store.position(of: "pager") }
        _ = try await eventually(within: 20, "the files are asked for") { store.health.problem }
        before?.keep(position: 107, of: "pager")
        #expect(await before?.position(of: "pager") == 107)
        before = nil
        #expect(await position.value == 107)
    }

    /// A webhook would subtract the times, and a log count on from the numbers, of rows that no packager has written.
    @Test func extremeValuesAreLeftOut() async throws {
        await leave([Fixture.event(1)])
        try await closed()
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            now, highest, lowest = 1795262400000, 2**63 - 1, -2**63
            database.executemany(
                "INSERT INTO event (number, time, channel, kind, slot, message) VALUES (?, ?, 'live', 'gap', ?, 'A gap.')",
                [(102, highest, 1), (103, lowest, 1), (104, -1, 1), (105, "soon", 1), (106, now, highest),
                 (107, now, lowest), (108, now, -1), (109, now, "soon"), (110, now, 7), (highest, now, 1),
                 (lowest, now, 1), (-1, now, 1)])
            database.commit()
            database.close()
            """
        try await Program.run("python3", ["-c", script, file])
        let store = Fixture.store(directory, now: Fixture.now + MediaTime(seconds: 10 * 86_400))
        #expect(await store.open() == 110)
        let entries = try #require(await store.entries(Fixture.search()))
        #expect(entries.map(\.number) == [101, 106, 107, 108, 109, 110])
        #expect(entries.map(\.event.slot) == [nil, nil, nil, nil, nil, MediaSequenceNumber(7)])
        #expect(await numbers(store, Fixture.search(after: 0)) == [101, 106, 107, 108, 109, 110])
        // None of them keeps those behind it from leaving when their time has come.
        await store.trim()
        #expect(await store.open() == nil)
        #expect(await store.entries(Fixture.search()) == [])
    }

    /// A file of the version before has no severities.
    @Test func eventsOfAnEarlierVersionAreAsBadAsTheirKindUsuallyIs() async throws {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.executescript(\"\"\"
                CREATE TABLE event (number INTEGER PRIMARY KEY, time INTEGER NOT NULL, channel TEXT NOT NULL,
                    kind TEXT NOT NULL, input TEXT, rendition TEXT, slot INTEGER, message TEXT NOT NULL);
                CREATE INDEX event_channel ON event (channel, number);
                CREATE INDEX event_kind ON event (kind, number);
                CREATE TABLE reader (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
                CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES ('events');
                INSERT INTO event VALUES (7, 1795262400000, 'live', 'gap', NULL, NULL, NULL, 'A gap.');
                INSERT INTO event VALUES (8, 1795262401000, 'live', 'media', NULL, NULL, NULL, 'Media.');
                \"\"\")
            """
        try await Program.run("python3", ["-c", script, file])
        let store = Fixture.store(directory)
        #expect(await store.open() == 8)
        let log = EventLog(after: 8)
        log.append(ChannelEvent(time: Fixture.now, channel: "live", kind: .gap, severity: .info, message: "Meant."))
        #expect(await store.write(from: log))
        let entries = try #require(await store.entries(Fixture.search()))
        #expect(entries.map(\.event.severity) == [.error, .info, .info])
        #expect(entries.map(\.number) == [7, 8, 9])
    }

    /// The state directory of a systemd service with DynamicUser is a link.
    @Test func stateDirectoryMayBeALink() async throws {
        let folder = directory.file("private")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let link = directory.file("state")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "private")
        let store = EventStore(
            directory: link,
            retention: EventRetention(duration: MediaTime(seconds: 3600), maximumBytes: 1 << 20),
            now: { .zero },
            onNews: { Issue.record("\($0)") }
        )
        _ = await store.open()
        #expect(store.health.problem == nil)
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(EventStore.fileName)"))
    }

    @Test func eachSearchFindsWhatMemoryWouldFind() async throws {
        let words = ["Ärger mit 100 % Last.", "GAP in video_1080p", "A gap.", "nothing"]
        let kinds: [ChannelEvent.Kind] = [.gap, .media, .inputLost]
        let events = (0..<60).map {
            Fixture.event($0, kind: kinds[$0 % 3], channel: $0 % 2 == 0 ? "live" : "other", words[$0 % 4])
        }
        await leave(events, after: 0)
        try await closed()
        let store = Fixture.store(directory)
        _ = await store.open()
        let log = EventLog()
        for event in events { log.append(event) }
        let filters: [(inout EventFilter) -> Void] = [
            { _ in }, { $0.channels = ["live"] }, { $0.channels = ["live", "none"] }, { $0.kinds = [.gap, .media] },
            { $0.text = "gap" }, { $0.text = "%" }, { $0.text = "o_1" }, { $0.text = "ä" }, { $0.text = "Ärger" },
            { $0.text = "\\" }, { $0.from = Fixture.now + MediaTime(seconds: 20) },
            { $0.to = Fixture.now + MediaTime(seconds: 20) },
            { ($0.channels, $0.kinds, $0.text) = (["other"], [.media], "GAP") },
        ]
        for (index, change) in filters.enumerated() {
            for (after, before, limit) in [(nil, nil, 1000), (nil, nil, 3), (10, nil, 4), (nil, 40, 5), (5, 30, 1000)] {
                let search = Fixture.search(after: after, limit: limit) {
                    $0.before = before
                    change(&$0.filter)
                }
                let found = try #require(await store.entries(search))
                #expect(found == search.page(of: log.entries()), "filter \(index), \(String(describing: after))")
            }
        }
    }

    @Test func theOldestGoWhenTheirTimeIsOver() async throws {
        await leave((0..<10).map { Fixture.event($0 * 3600) })
        try await closed()
        let later = Fixture.now + MediaTime(seconds: 86_400 + 4 * 3600)
        let store = Fixture.store(directory, now: later)
        _ = await store.open()
        await store.trim()
        #expect(await numbers(store, Fixture.search()) == Array(105...110))
    }

    /// A clock that was wrong at a start leaves one behind.
    @Test func anEventOfTheFutureKeepsNoneBehindIt() async throws {
        await leave([0, 90 * 86_400, 1 * 3600, 2 * 3600, 9 * 3600, 91 * 86_400, 9 * 3600].map { Fixture.event($0) })
        try await closed()
        let later = Fixture.now + MediaTime(seconds: 86_400 + 4 * 3600)
        let store = Fixture.store(directory, now: later)
        _ = await store.open()
        await store.trim()
        #expect(await numbers(store, Fixture.search()) == [105, 106, 107])
    }

    /// A machine whose clock has lost its battery starts in 1970.
    @Test func aClockThatIsBehindRemovesNothing() async throws {
        await leave((0..<10).map { Fixture.event($0 * 3600) })
        try await closed()
        let store = Fixture.store(directory, now: Fixture.now - MediaTime(seconds: 400 * 86_400))
        _ = await store.open()
        await store.trim()
        #expect(await numbers(store, Fixture.search()) == Array(101...110))
    }

    @Test func theOldestGoWhenTheyAreTooMany() async throws {
        let store = Fixture.store(
            directory,
            retention: .init(duration: MediaTime(seconds: 86_400), maximumBytes: 1 << 20)
        )
        _ = await store.open()
        let log = EventLog(capacity: 1000)
        for round in 0..<20 {
            for number in 0..<500 { log.append(Fixture.event(round, String(repeating: "x", count: 200 + number % 7))) }
            await store.write(from: log)
        }
        let before = store.health.bytes
        await store.trim()
        #expect(before == 0 && store.health.bytes <= 1 << 20 && store.health.bytes > 1 << 18, "\(store.health.bytes)")
        let kept = try #require(await numbers(store, Fixture.search()))
        #expect(kept.last == 10_000)
    }

    /// A file that is no database is not thrown away, and not in the way.
    @Test func aDamagedFileIsSetAside() async throws {
        await leave((0..<500).map { Fixture.event($0) })
        try await closed()
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes.replaceSubrange(0..<4096, with: Data(repeating: 0x55, count: 4096))
        try bytes.write(to: URL(filePath: file))
        let news = Fixture.News()
        let store = Fixture.store(directory, news: news)
        #expect(await store.open() == nil)
        guard case .setAside(let path, _) = try #require(news.all.first) else {
            Issue.record("\(news.all)")
            return
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        let log = EventLog(after: 1000)
        log.append(Fixture.event(1))
        #expect(await store.write(from: log))
        #expect(await numbers(store, Fixture.search()) == [1001])
        #expect(news.all.count == 1)
    }

    /// A page in the middle is found to be damaged only when it is read.
    @Test func whatIsFoundDamagedLaterIsSetAsideThen() async throws {
        await leave((0..<3000).map { Fixture.event($0, String(repeating: "y", count: 100)) })
        try await closed()
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        // The first pages say what there is; all others are gone.
        for offset in stride(from: UInt64(32_768), to: try handle.seekToEnd(), by: 4096) {
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data(repeating: 0xAA, count: 4096))
        }
        try handle.close()
        let news = Fixture.News()
        let next = Fixture.store(directory, news: news)
        _ = await next.open()
        let log = EventLog(after: 5000)
        for second in 0..<3 { log.append(Fixture.event(second)) }
        // Asked or written: one of them comes upon it.
        _ = await next.entries(Fixture.search())
        _ = try await eventually(within: 20, "it is set aside") {
            await next.write(from: log)
            log.append(Fixture.event(9))
            return news.all.contains { if case .setAside = $0 { true } else { false } } ? true : nil
        }
        _ = await next.write(from: log)
        // All that memory has is in the new one.
        #expect(await numbers(next, Fixture.search())?.first == 5001)
    }

    /// A process that ends may still hold the database while its successor is there already, which is no news.
    @Test(arguments: [Duration.zero, .seconds(3600)])
    func aStoreThatIsInUseIsLeftAloneUntilItIsFree(handover: Duration) async throws {
        let news = Fixture.News()
        let second = Fixture.store(directory, handover: handover, news: news)
        let log = EventLog(after: 2000)
        do {
            let first = Fixture.store(directory)
            _ = await first.open()
            #expect(await second.open() == nil)
            log.append(Fixture.event(1))
            #expect(await second.write(from: log) == false)
            #expect(second.health.problem?.contains("another packager") == true)
            #expect(await second.entries(Fixture.search()) == nil)
            withExtendedLifetime(first) {}
        }
        // It is found out whether or not there is anything to write.
        try await closed()
        #expect(await second.write(from: EventLog(after: 2000)))
        #expect(second.health.problem == nil)
        #expect(await numbers(second, Fixture.search()) == [])
        #expect(await second.write(from: log))
        #expect(await numbers(second, Fixture.search()) == [2001])
        #expect(news.all.count == (handover == .zero ? 2 : 0))
        #expect(handover > .zero || news.all.last == .ended(lost: 0))
    }

    /// `sqlite3` holds the lock, which an operator may use on the database.
    @Test func aLockedDatabaseIsWrittenOnceItIsFree() async throws {
        let news = Fixture.News()
        // So long the write waits; what can be read is there sooner.
        let store = Fixture.store(directory, patience: .seconds(5), news: news)
        _ = await store.open()
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            sys.stdin.read()
            """
        let input = Pipe()
        let other = try Program(Repository.python, ["-c", script, file], input: input)
        _ = try await eventually(within: 20) { other.output.contains("locked") ? true : nil }
        let log = EventLog(after: 100)
        log.append(Fixture.event(1))
        #expect(await store.write(from: log) == false)
        // Readers do not wait for writers.
        #expect(await numbers(store, Fixture.search()) == [])
        #expect(store.health.problem?.contains("locked") == true, "\(store.health)")
        try input.fileHandleForWriting.close()
        #expect(await other.exitCode() == 0)
        #expect(await store.write(from: log))
        #expect(await numbers(store, Fixture.search()) == [101])
        #expect(news.all.count == 2)
    }

    @Test func whatMemoryDropsMeanwhileIsCounted() async throws {
        // A file stands where the directory is to be.
        let path = try directory.write("x", to: "state")
        let news = Fixture.News()
        let store = EventStore(
            directory: path,
            retention: Fixture.retention,
            patience: .seconds(60),
            now: { Fixture.now },
            onNews: { news.add($0) }
        )
        #expect(await store.open() == nil)
        let log = EventLog(after: 100, capacity: 10)
        for second in 0..<50 { log.append(Fixture.event(second)) }
        #expect(await store.write(from: log) == false)
        #expect(store.health.problem != nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(await store.write(from: log))
        let kept = log.entries().count
        #expect(store.health.unkept == 50 - kept && kept < 50)
        #expect(news.all.last == .ended(lost: 50 - kept))
        #expect(await store.entries(Fixture.search())?.count == kept)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk of its own"))
    func onAFullDiskMemoryGoesOn() async throws {
        try await Program.run("mount", ["-t", "tmpfs", "-o", "size=4m", "none", directory.path])
        do {
            try await fillDisk()
        } catch {
            _ = try? await Program.run("umount", ["--lazy", directory.path])
            throw error
        }
        try await Program.run("umount", ["--lazy", directory.path])
    }

    private func fillDisk() async throws {
        let news = Fixture.News()
        let store = Fixture.store(directory, news: news)
        _ = await store.open()
        let log = EventLog(after: 100)
        log.append(Fixture.event(1))
        #expect(await store.write(from: log))
        let ballast = directory.file("ballast")
        _ = try? Data(count: 1 << 22).write(to: URL(filePath: ballast))
        // A write that fails leaves no half of itself.
        let handle = FileHandle(forWritingAtPath: ballast) ?? FileHandle.nullDevice
        _ = try? handle.seekToEnd()
        while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
        for second in 2...900 { log.append(Fixture.event(second, String(repeating: "z", count: 300))) }
        #expect(await store.write(from: log) == false)
        #expect(store.health.problem != nil)
        await store.trim()
        #expect(news.all.count == 1, "\(news.all)")
        // What was there can be read.
        #expect(await numbers(store, Fixture.search(limit: 3)) == [101])
        try handle.close()
        try FileManager.default.removeItem(atPath: ballast)
        #expect(await store.write(from: log))
        #expect(store.health == EventArchiveHealth(problem: nil, unkept: 0, bytes: store.health.bytes))
        #expect(await numbers(store, Fixture.search())?.count == 900)
        #expect(news.all.last == .ended(lost: 0))
    }

    /// Searches that find nothing look through all that there is: of a flood of them most are not begun.
    @Test func aFloodOfSearchesDoesNotPileUp() async throws {
        let store = Fixture.store(directory)
        _ = await store.open()
        let log = EventLog(capacity: 20_000)
        for second in 0..<20_000 { log.append(Fixture.event(second, "Something happened, and \(second) more.")) }
        #expect(await store.write(from: log))
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let search = Fixture.search { $0.filter.text = "nobody said \(number)" }
                    return await store.entries(search)?.isEmpty ?? false
                }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(answers >= 1 && answers < 500, "\(answers)")
        let page = try await eventually(within: 20, "it is asked again") {
            await store.entries(Fixture.search(limit: 2))
        }
        #expect(page.map(\.number) == [19_999, 20_000])
    }

    @Test func whereAReaderHasGotToIsKept() async throws {
        do {
            let store = Fixture.store(directory)
            _ = await store.open()
            #expect(await store.position(of: "a") == nil)
            store.keep(position: 7, of: "a")
            store.keep(position: 9, of: "a")
            #expect(await store.position(of: "a") == 9)
        }
        try await closed()
        let store = Fixture.store(directory)
        _ = await store.open()
        #expect(await store.position(of: "a") == 9)
        #expect(await store.position(of: "b") == nil)
    }

    /// Otherwise the events that wait for the reader would be lost.
    @Test func aReadersPlaceIsNotForgottenForAFault() async throws {
        do {
            let store = Fixture.store(directory)
            _ = await store.open()
            store.keep(position: 9, of: "a")
            #expect(await store.position(of: "a") == 9)
        }
        try await closed()
        let file = directory.file("events.sqlite")
        try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let news = Fixture.News()
        let store = Fixture.store(directory, news: news)
        async let position = store.position(of: "a")
        _ = try await eventually(within: 5) { news.all.isEmpty ? nil : true }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
        #expect(await position == 9)
    }

    /// A page that begins before memory does comes from both.
    @Test func aHistoryIsOnDiskAndInMemory() async throws {
        await leave((1...20).map { Fixture.event($0) })
        try await closed()
        let store = Fixture.store(directory)
        let log = EventLog(after: 50)
        log.begin(after: try #require(await store.open()))
        let history = EventHistory(log, archive: store)
        for second in 21...25 { log.append(Fixture.event(second)) }
        func page(_ search: EventSearch) async -> [Int] { await history.page(search).entries.map(\.number) }
        #expect(await page(Fixture.search(limit: 3)) == [123, 124, 125])
        #expect(await page(Fixture.search(limit: 8)) == Array(118...125))
        #expect(await page(Fixture.search(after: 102, limit: 3)) == [103, 104, 105])
        #expect(await page(Fixture.search(after: 118)) == Array(119...125))
        #expect(await page(Fixture.search(limit: 4) { $0.before = 123 }) == Array(119...122))
        #expect(history.position(110) == 110)
        #expect(history.position(126) == 120)
    }
}
