import NIOCore
import Operations
import Presentation
import Synchronization
import Testing

@testable import Control

@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
    private static func message(_ number: Int, second: Int) -> String {
        """
        id: \(number)
        data: {"channel":"live","kind":"gap","message":"Something happened.","number":\(number),\
        "severity":"error","time":"2026-11-21T12:00:0\(second).000Z"}


        """
    }

    /// Runs a stream, and hands each of its writes to `body` until that returns false, which ends the stream.
    private static func read(
        _ log: EventLog,
        _ signal: EventSignal,
        after: Int?,
        filter: EventFilter = EventFilter(),
        heartbeat: Duration = .seconds(3600),
        _ body: @escaping @Sendable (String) -> Bool
    ) async throws {
        let stream = EventStream(
            history: EventHistory(log),
            signal: signal,
            filter: filter,
            after: after,
            heartbeat: heartbeat
        )
        try await stream.write(to: { bytes in
            if !body(String(buffer: bytes)) { throw Gone() }
        })
        _ = body("end")
    }

    private struct Gone: Error {}

    /// Collects writes, and does something after each.
    private final class Reader: Sendable {
        private let received = Mutex<[String]>([])
        let limit: Int
        let afterWrite: @Sendable (Int) -> Void

        init(limit: Int, afterWrite: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.limit = limit
            self.afterWrite = afterWrite
        }

        var writes: [String] { received.withLock { $0 } }

        func take(_ text: String) -> Bool {
            let count = received.withLock { received in
                received.append(text)
                return received.count
            }
            afterWrite(count)
            return count < limit
        }
    }

    @Test func itGoesOnAfterANumberAndFollows() async throws {
        let signal = EventSignal()
        let log = Fixture.log(3, signal: signal)
        let reader = Reader(limit: 4) { count in
            if count == 2 || count == 3 { log.append(Fixture.event(count + 2)) }
        }
        await #expect(throws: Gone.self) {
            try await Self.read(log, signal, after: 1) { reader.take($0) }
        }
        #expect(
            reader.writes == [
                "retry: 2000\n\n", Self.message(2, second: 2) + Self.message(3, second: 3), Self.message(4, second: 4),
                Self.message(5, second: 5),
            ]
        )
        #expect(signal.followerCount == 0)
    }

    @Test func onlyWhatIsWantedIsTold() async throws {
        let signal = EventSignal()
        let log = EventLog(capacity: 3) { _ in signal.fire() }
        let reader = Reader(limit: 4) { count in
            // What is not wanted does not make a reader fall behind.
            for number in 1...4 where count < 4 {
                var event = Fixture.event(number)
                if number != count { event.kind = .media }
                log.append(event)
            }
        }
        var filter = EventFilter()
        filter.kinds = [.gap]
        await #expect(throws: Gone.self) {
            try await Self.read(log, signal, after: nil, filter: filter) { reader.take($0) }
        }
        let numbers = reader.writes.joined().matches(of: /id: (\d+)/).compactMap { Int($0.1) }
        #expect(numbers == [1, 6, 11])
    }

    @Test func withoutANumberItBeginsWithWhatIsNew() async throws {
        let signal = EventSignal()
        let log = Fixture.log(3, signal: signal)
        let reader = Reader(limit: 3) { count in
            // A wake without an event is answered with a comment.
            if count == 1 { signal.fire() }
            if count == 2 { log.append(Fixture.event(4)) }
        }
        await #expect(throws: Gone.self) {
            try await Self.read(log, signal, after: nil) { reader.take($0) }
        }
        #expect(reader.writes == ["retry: 2000\n\n", ":\n\n", Self.message(4, second: 4)])
    }

    @Test(arguments: [4, 1000])
    func aCountOfAnEarlierProcessBeginsAgain(after: Int) async throws {
        let reader = Reader(limit: 2)
        await #expect(throws: Gone.self) {
            try await Self.read(Fixture.log(3), EventSignal(), after: after) { reader.take($0) }
        }
        #expect(reader.writes.last == (1...3).map { Self.message($0, second: $0) }.joined())
    }

    /// The first event of a process follows on nothing that a reader could know of.
    @Test(arguments: [nil, 0, 5, 1_000_003])
    func aReaderIsToldAllThatHappensInALaterProcess(after: Int?) async throws {
        let signal = EventSignal()
        let log = EventLog(after: 1_000_000) { _ in signal.fire() }
        let reader = Reader(limit: 4) { count in
            if count == 1 { signal.fire() } else { log.append(Fixture.event(count - 1)) }
        }
        await #expect(throws: Gone.self) {
            try await Self.read(log, signal, after: after) { reader.take($0) }
        }
        #expect(
            reader.writes == [
                "retry: 2000\n\n", ":\n\n", Self.message(1_000_001, second: 1), Self.message(1_000_002, second: 2),
            ]
        )
    }

    @Test func aSilentStreamShowsThatItStands() async throws {
        let reader = Reader(limit: 3)
        await #expect(throws: Gone.self) {
            try await Self.read(Fixture.log(0), EventSignal(), after: nil, heartbeat: .milliseconds(1)) {
                reader.take($0)
            }
        }
        #expect(reader.writes == ["retry: 2000\n\n", ":\n\n", ":\n\n"])
    }

    @Test func manyEventsComeInManyWrites() async throws {
        let reader = Reader(limit: 4)
        await #expect(throws: Gone.self) {
            try await Self.read(Fixture.log(250), EventSignal(), after: 0) { reader.take($0) }
        }
        #expect(reader.writes.map { $0.matches(of: #/id: /#).count } == [0, 100, 100, 50])
    }

    @Test func aReaderThatTheLogHasOvertakenIsLetGo() async throws {
        let signal = EventSignal()
        let log = Fixture.log(1, capacity: 5, signal: signal)
        let reader = Reader(limit: 10) { count in
            // While the reader takes one event, more come than the log keeps.
            if count == 2 { for number in 2...20 { log.append(Fixture.event(number)) } }
        }
        try await Self.read(log, signal, after: 0) { reader.take($0) }
        #expect(reader.writes == ["retry: 2000\n\n", Self.message(1, second: 1), "end"])
        #expect(signal.followerCount == 0)
    }

    @Test func aReaderThatComesBackTooLateGetsWhatIsKept() async throws {
        let log = Fixture.log(20, capacity: 5)
        let reader = Reader(limit: 2)
        await #expect(throws: Gone.self) {
            try await Self.read(log, EventSignal(), after: 2) { reader.take($0) }
        }
        let kept = log.entries().map(\.number)
        #expect(kept.first != 3)
        #expect(reader.writes.last?.matches(of: /id: (\d+)/).compactMap { Int($0.1) } == kept)
    }
}
