import EventDelivery
import Files
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
