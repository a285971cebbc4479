import EventDelivery
import Foundation
import MediaCore
import Operations
import Synchronization
import TestSupport
import Testing

/// Webhooks that a server in Python takes, which checks the signatures by itself.
@Suite(.timeLimit(.minutes(5))) struct WebhookDispatcherTests {
    /// A log, and those who are told what is in it.
    private final class Bench: Sendable {
        let log: EventLog
        let signal: EventSignal
        let dispatcher: WebhookDispatcher

        init(
            origin: Int = 0,
            capacity: Int = 1000,
            archive: (any EventArchive)? = nil,
            timeout: Duration = .seconds(60)
        ) {
            let signal = EventSignal()
            let log = EventLog(after: origin, capacity: capacity) { _ in signal.fire() }
            (self.log, self.signal) = (log, signal)
            let told = Told()
            dispatcher = WebhookDispatcher(
                history: EventHistory(log, archive: archive),
                signal: signal,
                pace: 0.02,
                timeout: timeout,
                now: { SystemClock().now }
            ) { told.add("\($0) \($1)") }
            self.told = told
        }

        let told: Told

        final class Told: Sendable {
            private let collected = Mutex<[String]>([])
            var all: [String] { collected.withLock { $0 } }
            func add(_ text: String) { collected.withLock { $0.append(text) } }
        }

        func tell(_ count: Int, _ kind: ChannelEvent.Kind = .gap) {
            for _ in 0..<count {
                log.append(ChannelEvent(time: SystemClock().now, channel: "live", kind: kind, message: "Something."))
            }
        }
    }

    private static func hook(
        _ receiver: Receiver,
        _ path: String,
        kinds: Set<ChannelEvent.Kind> = []
    ) -> Webhook {
        Webhook(name: path, url: receiver.url(path), kinds: kinds, secret: Array("a secret".utf8))
    }

    @Test func eachIsToldInOrderAndSigned() async throws {
        let receiver = try await Receiver(["/a=200", "/b=200"])
        let bench = Bench()
        bench.dispatcher.update([Self.hook(receiver, "/a"), Self.hook(receiver, "/b", kinds: [.media])], after: 0)
        bench.tell(3)
        bench.tell(1, .media)
        bench.tell(2)
        let all = try await receiver.taken(6, at: "/a")
        #expect(all.map(\.event) == Array(1...6))
        #expect(all.allSatisfy { $0.signed && $0.number == $0.event })
        let some = try await receiver.taken(1, at: "/b")
        #expect(some.map(\.event) == [4] && some[0].signed)
        _ = try await eventually(within: 10) { bench.dispatcher.statuses.map(\.delivered) == [6, 1] ? true : nil }
        #expect(bench.told.all.isEmpty)
        await bench.dispatcher.stop()
    }

    /// The one answer that is late on purpose.
    @Test func whoNeverAnswersHasAProblem() async throws {
        let receiver = try await Receiver(["/hangs=hang"])
        let bench = Bench(timeout: .milliseconds(500))
        bench.dispatcher.update([Self.hook(receiver, "/hangs")], after: 0)
        bench.tell(4)
        _ = try await eventually(within: 20, "it is known to fail") {
            bench.dispatcher.statuses[0].problem == "no complete answer in time" ? true : nil
        }
        let status = bench.dispatcher.statuses[0]
        #expect(status.delivered == 0 && status.dropped == 0 && status.waiting == 4)
        await bench.dispatcher.stop()
    }

    /// Order is kept, and a failing webhook delays no other.
    @Test func undeliveredEventIsSentAgain() async throws {
        let receiver = try await Receiver([
            "/fails=500,close,redirect,503,200", "/hangs=hang", "/good=200", "/refuses=200,400,400,200",
        ])
        // What answers may take as long as a busy machine needs for it.
        let bench = Bench()
        let nowhere = Webhook(name: "/nowhere", url: "http://127.0.0.1:\(Ports.free())/x")
        bench.dispatcher.update(
            ["/fails", "/hangs", "/good", "/refuses"].map { Self.hook(receiver, $0) } + [nowhere],
            after: 0
        )
        bench.tell(4)
        #expect(try await receiver.taken(4, at: "/good").map(\.event) == [1, 2, 3, 4])
        #expect(try await receiver.taken(4, at: "/fails").map(\.event) == [1, 2, 3, 4])
        #expect(receiver.requests("/fails").map(\.event) == [1, 1, 1, 1, 1, 2, 3, 4])
        #expect(receiver.requests("/elsewhere").isEmpty)
        #expect(try await receiver.taken(2, at: "/refuses").map(\.event) == [1, 4])
        // A receiver knows of a request before its sender knows of the answer.
        _ = try await eventually(within: 20, "all answers are known, and what is nowhere fails") {
            let statuses = bench.dispatcher.statuses
            let isKnown = statuses[4].problem != nil && statuses.map(\.delivered) == [4, 0, 4, 2, 0]
            return isKnown && bench.told.all.count { $0.contains("accepts events again") } == 2 ? true : nil
        }
        let statuses = bench.dispatcher.statuses
        #expect(statuses.map(\.dropped) == [0, 0, 0, 2, 0])
        #expect(statuses.map(\.waiting) == [0, 4, 0, 0, 4])
        let told = bench.told.all
        #expect(told.contains("/fails accepts events again, and has missed none"), "\(told)")
        #expect(
            told.contains(
                "/refuses accepts events again, but has missed 2 that it refused, or did not accept for a day"
            )
        )
        #expect(!told.contains { $0.hasPrefix("/good") })
        await bench.dispatcher.stop()
    }

    @Test func receiverThatAnswers410GetsNoMore() async throws {
        let receiver = try await Receiver(["/gone=200,410,200"])
        let bench = Bench()
        let hooks = [Self.hook(receiver, "/gone")]
        bench.dispatcher.update(hooks, after: 0)
        bench.tell(5)
        _ = try await eventually(within: 20) { bench.dispatcher.statuses[0].problem == "gone" ? true : nil }
        let asked = try await eventually(within: 20, "both requests are known") {
            let requests = receiver.requests("/gone")
            return requests.count >= 2 ? requests : nil
        }
        #expect(asked.map(\.event) == [1, 2])
        _ = try await eventually(within: 20, "it is said") { bench.told.all.isEmpty ? nil : true }
        #expect(bench.told.all.count == 1)
        // The configuration is read again.
        bench.dispatcher.update(hooks, after: 5)
        #expect(try await receiver.taken(5, at: "/gone").map(\.event) == [1, 2, 3, 4, 5])
        await bench.dispatcher.stop()
    }

    @Test func aNewSecretChangesNothingElse() async throws {
        let receiver = try await Receiver(["/a=signed"])
        let bench = Bench()
        var hook = Self.hook(receiver, "/a")
        hook.secret = Array("another secret".utf8)
        bench.dispatcher.update([hook], after: 0)
        bench.tell(3)
        _ = try await eventually(within: 10) { receiver.requests("/a").isEmpty ? nil : true }
        bench.dispatcher.update([Self.hook(receiver, "/a")], after: bench.log.newest)
        let taken = try await receiver.taken(3, at: "/a")
        #expect(Set(taken.map(\.event)) == [1, 2, 3])
        #expect(taken.last?.signed == true && receiver.requests("/a").first?.signed == false)
        await bench.dispatcher.stop()
    }

    @Test func whatMemoryDropsIsCounted() async throws {
        let receiver = try await Receiver(["/late=gate"])
        let bench = Bench(capacity: 10)
        bench.dispatcher.update([Self.hook(receiver, "/late", kinds: [.gap])], after: 0)
        bench.tell(1)
        _ = try await eventually(within: 10) { receiver.requests("/late").isEmpty ? nil : true }
        // One in two is wanted.
        for _ in 0..<50 {
            bench.tell(1, .media)
            bench.tell(1)
        }
        let expected = bench.log.backlog(after: 1, of: [.gap]).entries.count
        try receiver.open()
        _ = try await eventually(within: 30) { bench.dispatcher.statuses[0].delivered == expected + 1 ? true : nil }
        #expect(bench.dispatcher.statuses[0].dropped == 50 - expected)
        #expect(
            bench.told.all.contains { $0.contains("has missed \(50 - expected) events") },
            "\(bench.told.all)"
        )
        await bench.dispatcher.stop()
    }

    /// An archive that is busy for a while: a disk, or a move to another directory.
    private final class BusyArchive: EventArchive {
        private let rows = Mutex<[EventLog.Entry]>([])
        private let refusals: Mutex<Int>
        private let place: Int?
        private let gate: Gate?
        var health: EventArchiveHealth { EventArchiveHealth() }

        /// - Parameters:
        ///   - refusals: The number of searches that are not answered.
        ///   - place: The place of every reader.
        ///   - gate: Holds up the search for it.
        init(refusals: Int, place: Int? = nil, gate: Gate? = nil) {
            self.refusals = Mutex(refusals)
            (self.place, self.gate) = (place, gate)
        }

        func add(_ entries: [EventLog.Entry]) {
            rows.withLock { rows in rows += entries.filter { $0.number > rows.last?.number ?? 0 } }
        }

        func entries(_ search: EventSearch) async -> [EventLog.Entry]? {
            let isRefused = refusals.withLock { refusals in
                defer { refusals -= 1 }
                return refusals > 0
            }
            return isRefused ? nil : search.page(of: rows.withLock(\.self))
        }

        func position(of reader: String) async -> Int? {
            guard let gate else { return place }
            await withCheckedContinuation { done in
                Thread.detachNewThread {
                    gate.pass()
                    done.resume()
                }
            }
            return place
        }

        func keep(position: Int, of reader: String) {}
    }

    @Test func whatABusyArchiveHasIsNotMissed() async throws {
        let receiver = try await Receiver(["/a=gate"])
        let archive = BusyArchive(refusals: 3)
        let bench = Bench(capacity: 10, archive: archive)
        bench.dispatcher.update([Self.hook(receiver, "/a")], after: 0)
        bench.tell(1)
        _ = try await eventually(within: 10) { receiver.requests("/a").isEmpty ? nil : true }
        for _ in 1..<60 {
            archive.add(bench.log.entries())
            bench.tell(1)
        }
        try receiver.open()
        #expect(try await receiver.taken(60, at: "/a").map(\.event) == Array(1...60))
        #expect(bench.dispatcher.statuses.map(\.dropped) == [0])
        #expect(!bench.told.all.contains { $0.contains("too many came") }, "\(bench.told.all)")
        await bench.dispatcher.stop()
    }

    /// A webhook is changed while the place is looked for that an earlier process has got to.
    @Test func aPlaceThatIsNotKnownYetIsLookedForAgain() async throws {
        let receiver = try await Receiver(["/a=200"])
        let gate = Gate(isClosed: true)
        let archive = BusyArchive(refusals: 0, place: 5, gate: gate)
        let bench = Bench(origin: 10, archive: archive)
        archive.add(
            (1...10).map { number in
                EventLog.Entry(
                    number: number,
                    event: ChannelEvent(time: SystemClock().now, channel: "live", kind: .gap, message: "Something.")
                )
            }
        )
        bench.dispatcher.update([Self.hook(receiver, "/a")], after: 10)
        bench.dispatcher.update([Self.hook(receiver, "/a", kinds: [.gap])], after: 10)
        gate.open()
        #expect(try await receiver.taken(5, at: "/a").map(\.event) == Array(6...10))
        await bench.dispatcher.stop()
    }

    /// A receiver that refuses to be told that it refuses does not keep the packager busy with that.
    @Test func eventsOfAFailingWebhookMakeNoLoop() async throws {
        let receiver = try await Receiver(["/never=400"])
        let signal = EventSignal()
        let log = EventLog { _ in signal.fire() }
        let dispatcher = WebhookDispatcher(
            history: EventHistory(log),
            signal: signal,
            pace: 0.02,
            now: { SystemClock().now }
        ) {
            log.append(ChannelEvent(time: SystemClock().now, channel: "*", kind: .webhook, message: "\($0) \($1)"))
        }
        dispatcher.update([Self.hook(receiver, "/never")], after: 0)
        for _ in 0..<3 { log.append(ChannelEvent(time: SystemClock().now, channel: "a", kind: .gap, message: "x")) }
        _ = try await eventually(within: 20) { dispatcher.statuses[0].dropped == 4 ? true : nil }
        #expect(log.newest == 4)
        await dispatcher.stop()
    }

    /// An event is told at least once, also where the process ends in between.
    @Test func aNewProcessGoesOnWhereTheOldOneWas() async throws {
        let receiver = try await Receiver(["/hook=200,200,gate"])
        let directory = try TemporaryDirectory()
        let hooks = [Self.hook(receiver, "/hook")]
        @Sendable func opened() async -> (store: EventStore, newest: Int?) {
            let retention = EventRetention(duration: MediaTime(seconds: 86_400), maximumBytes: 16 << 20)
            let store = EventStore(
                directory: directory.path,
                retention: retention,
                patience: .seconds(60),
                now: { SystemClock().now },
                onNews: { _ in }
            )
            return (store, await store.open())
        }
        do {
            let (store, _) = await opened()
            let bench = Bench(origin: 100, archive: store)
            bench.dispatcher.update(hooks, after: 100)
            bench.tell(2)
            _ = try await receiver.taken(2, at: "/hook")
            _ = try await eventually(within: 10) {
                await store.position(of: "none") == nil && bench.dispatcher.statuses[0].delivered == 2 ? true : nil
            }
            bench.tell(3)
            await store.write(from: bench.log)
            _ = try await eventually(within: 20) { receiver.requests("/hook").count > 3 ? true : nil }
            await bench.dispatcher.stop()
        }
        // The ending store may hold the files for a moment longer.
        let (store, newest) = try await eventually(within: 20, "the files are free") {
            let next = await opened()
            return next.newest == nil ? nil : next
        }
        #expect(newest == 105)
        try receiver.open()
        let bench = Bench(origin: 50, archive: store)
        bench.log.begin(after: try #require(newest))
        bench.dispatcher.update(hooks, after: bench.log.origin)
        bench.tell(1)
        let taken = try await receiver.taken(6, at: "/hook")
        #expect(Set(taken.map(\.event)) == Set(101...106))
        #expect(taken.suffix(4).map(\.event) == [103, 104, 105, 106])
        #expect(bench.dispatcher.statuses[0].dropped == 0)
        await bench.dispatcher.stop()
    }
}
