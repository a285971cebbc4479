import EventDelivery
import Files
import Foundation
import MediaCore
import Operations
import TestSupport
import Testing

/// A store whose directory is another one, or the first one, while the process runs.
@Suite(.timeLimit(.minutes(5))) struct MovedStoreTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(_ name: String?, news: Fixture.News = Fixture.News()) -> EventStore {
        EventStore(
            directory: name.map { directory.file($0) },
            retention: Fixture.retention,
            patience: .seconds(60),
            now: { Fixture.now },
            onNews: { news.add($0) }
        )
    }

    /// Waits until nobody has the files of a directory, and opens a store in it.
    private func next(in name: String) async throws -> EventStore {
        let path = directory.file(name)
        _ = try await eventually(within: 20, "nobody has the files") {
            try LocalFileSystem.confidential.lock("\(path)/events.lock") == nil ? nil : true
        }
        let store = store(name)
        _ = await store.open()
        return store
    }

    private static func log(_ count: Int, after origin: Int = 100, capacity: Int = 1000) -> EventLog {
        let log = EventLog(after: origin, capacity: capacity)
        for second in 0..<count { log.append(Fixture.event(second)) }
        return log
    }

    private static func numbers(_ store: EventStore) async -> [Int]? {
        await store.entries(Fixture.search())?.map(\.number)
    }

    // MARK: The first directory

    @Test func withoutADirectoryItIsAsIfThereWereNone() async throws {
        let news = Fixture.News()
        let store = store(nil, news: news)
        let log = Self.log(3)
        #expect(!store.hasPlace && EventHistory(log, archive: store).archive == nil)
        #expect(await store.open() == nil)
        #expect(await store.write(from: log) == false)
        store.keep(position: 102, of: "a")
        #expect(await store.position(of: "a") == nil)
        #expect(store.health == EventArchiveHealth() && news.all.isEmpty)
    }

    @Test func whatMemoryHasIsKeptOnceThereIsADirectory() async throws {
        let news = Fixture.News()
        let log = Self.log(50, capacity: 10)
        do {
            let store = store(nil, news: news)
            await store.write(from: log)
            store.move(to: directory.file("state"))
            #expect(store.hasPlace && EventHistory(log, archive: store).archive != nil)
            #expect(await store.write(from: log))
            #expect(store.health.unkept == 0, "nobody has asked for what memory has dropped before")
        }
        #expect(await Self.numbers(try await next(in: "state")) == log.entries().map(\.number))
        #expect(news.all.isEmpty)
    }

    /// A webhook that takes nothing while its process is killed.
    @Test func postsThatWaitAreFoundByTheNextProcess() async throws {
        let receiver = try await Receiver(["/hook=gate"])
        let hooks = [Webhook(name: "hook", url: receiver.url("/hook"))]
        do {
            let store = store(nil)
            let (log, signal) = (Self.log(2), EventSignal())
            let dispatcher = Self.dispatcher(EventHistory(log, archive: store), signal)
            dispatcher.update(hooks, after: log.origin)
            _ = try await eventually(within: 20, "it is posted") { receiver.requests("/hook").isEmpty ? nil : true }
            store.move(to: directory.file("state"))
            dispatcher.update(hooks, after: log.newest)
            log.append(Fixture.event(3))
            #expect(await store.write(from: log))
            await dispatcher.stop()
        }
        try await expectAll(101...103, at: receiver, hooks, from: try await next(in: "state"))
    }

    /// A webhook that has not taken anything has a place all the same.
    @Test func postsThatWaitFromTheStartAreFoundByTheNextProcess() async throws {
        let receiver = try await Receiver(["/hook=gate"])
        let hooks = [Webhook(name: "hook", url: receiver.url("/hook"))]
        do {
            let store = store("state")
            let (log, signal) = (Self.log(2), EventSignal())
            let dispatcher = Self.dispatcher(EventHistory(log, archive: store), signal)
            dispatcher.update(hooks, after: log.origin)
            _ = try await eventually(within: 20, "it is posted") { receiver.requests("/hook").isEmpty ? nil : true }
            #expect(await store.write(from: log))
            await dispatcher.stop()
        }
        try await expectAll(101...102, at: receiver, hooks, from: try await next(in: "state"))
    }

    // MARK: Another directory

    @Test func eventsAndPlacesComeAlong() async throws {
        let news = Fixture.News()
        let log = EventLog(after: 100, capacity: 10)
        do {
            let store = store("one", news: news)
            for second in 0..<50 {
                log.append(Fixture.event(second))
                await store.write(from: log)
            }
            store.keep(position: 107, of: "a")
            store.move(to: directory.file("two"))
            #expect(await store.position(of: "a") == 107)
            log.append(Fixture.event(50))
            #expect(await store.write(from: log))
            #expect(await Self.numbers(store) == Array(101...151), "also what memory has dropped")
            #expect(store.health.unkept == 0 && store.keptDirectory == directory.file("two"))
        }
        let next = try await next(in: "two")
        #expect(await Self.numbers(next) == Array(101...151))
        #expect(await next.position(of: "a") == 107)
        #expect(news.all == [.tookAlong(path: directory.file("one/events.sqlite"))])
    }

    @Test func wayBackIsAWayToAnotherDirectory() async throws {
        let store = store("one")
        let log = Self.log(1)
        for (index, name) in ["one", "two", "one"].enumerated() {
            store.move(to: directory.file(name))
            store.keep(position: index, of: "a")
            #expect(await store.write(from: log))
            #expect(await store.position(of: "a") == index)
            log.append(Fixture.event(index))
        }
        #expect(await store.write(from: log))
        #expect(await Self.numbers(store) == Array(101...104))
        #expect(store.health.problem == nil)
    }

    /// A link to it, and the directory itself, moved by an operator.
    @Test(arguments: [true, false]) func sameDirectoryMayHaveAnotherName(isLink: Bool) async throws {
        let store = store("one")
        let log = Self.log(3)
        #expect(await store.write(from: log))
        store.keep(position: 102, of: "a")
        #expect(await store.position(of: "a") == 102)
        let (one, two) = (directory.file("one"), directory.file("two"))
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: two, withDestinationPath: "one")
        } else {
            try FileManager.default.moveItem(atPath: one, toPath: two)
        }
        store.move(to: two)
        log.append(Fixture.event(9))
        #expect(await store.write(from: log))
        #expect(await Self.numbers(store) == Array(101...104))
        #expect(await store.position(of: "a") == 102)
        #expect(store.health.problem == nil && FileManager.default.fileExists(atPath: "\(two)/events.sqlite"))
    }

    /// An upgrade: the process before writes until it has ended.
    @Test func nextProcessTakesAlongWhatTheOneBeforeHasWritten() async throws {
        let news = Fixture.News()
        let log = Self.log(3)
        var before: EventStore? = self.store("one")
        _ = await before?.open()
        let store = EventStore(
            directory: directory.file("two"),
            former: directory.file("one"),
            retention: Fixture.retention,
            patience: .seconds(60),
            handover: .seconds(60),
            now: { Fixture.now },
            onNews: { news.add($0) }
        )
        #expect(await store.open() == nil)
        #expect(store.keptDirectory == directory.file("one"), "where another upgrade finds them")
        let position = Task { await store.position(of: "pager") }
        _ = await before?.write(from: log)
        before?.keep(position: 102, of: "pager")
        #expect(await before?.position(of: "pager") == 102)
        before = nil
        #expect(await position.value == 102)
        #expect(await Self.numbers(store) == [101, 102, 103])
        #expect(news.all == [.tookAlong(path: directory.file("one/events.sqlite"))])
    }

    @Test func whatCannotComeAlongIsSaidAndStopsNothing() async throws {
        let news = Fixture.News()
        let damaged = String(repeating: "This is no database. ", count: 1000)
        _ = try directory.write(damaged, to: EventStore.fileName)
        let store = EventStore(
            directory: directory.file("two"),
            former: directory.path,
            retention: Fixture.retention,
            patience: .seconds(60),
            now: { Fixture.now },
            onNews: { news.add($0) }
        )
        #expect(await store.write(from: Self.log(3)))
        #expect(await Self.numbers(store) == [101, 102, 103])
        guard case .left(directory.file(EventStore.fileName), _) = try #require(news.all.first) else {
            Issue.record("\(news.all)")
            return
        }
        #expect(news.all.count == 1 && store.health.problem == nil)
        #expect(try String(contentsOfFile: directory.file(EventStore.fileName), encoding: .utf8) == damaged)
    }

    private static func dispatcher(_ history: EventHistory, _ signal: EventSignal) -> WebhookDispatcher {
        WebhookDispatcher(
            history: history,
            signal: signal,
            pace: 0.02,
            timeout: .seconds(60),
            now: { Fixture.now },
            onNews: { _, _ in }
        )
    }

    /// Has a process that begins with a store deliver all that waits, and an event of its own.
    private func expectAll(
        _ numbers: ClosedRange<Int>,
        at receiver: Receiver,
        _ hooks: [Webhook],
        from store: EventStore
    ) async throws {
        try receiver.open()
        let (log, signal) = (EventLog(after: 50), EventSignal())
        log.begin(after: try #require(await store.open()))
        log.append(Fixture.event(9))
        let dispatcher = Self.dispatcher(EventHistory(log, archive: store), signal)
        dispatcher.update(hooks, after: log.origin)
        let taken = try await receiver.taken(numbers.count + 1, at: "/hook")
        #expect(Set(taken.map(\.event)) == Set(numbers.lowerBound...(numbers.upperBound + 1)))
        await dispatcher.stop()
    }
}
