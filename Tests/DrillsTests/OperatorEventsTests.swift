import MediaCore
import NIOCore
import Synchronization
import Testing

@testable import Drills
@testable import Fetching

/// What the control API answers, and what a drill knows of it.
struct OperatorEventsTests {
    /// Answers each request with the next text, and the last one with no more; an empty text is no answer.
    private final class ControlAPI: Fetcher {
        private let answers: Mutex<[String]>
        let asked = Mutex<[String]>([])

        init(_ answers: [String]) {
            self.answers = Mutex(answers)
        }

        func fetch(_ url: String) async throws(FetchError) -> FetchedResource {
            asked.withLock { $0.append(url) }
            let text = answers.withLock { $0.isEmpty ? "" : $0.removeFirst() }
            if text.isEmpty { throw .connection("refused") }
            return FetchedResource(url: url, body: ByteBuffer(string: text))
        }
    }

    private static let switched = """
        [{"number": 7, "time": "2026-01-01T00:00:01.000Z", "kind": "switched", "renditions": ["video-360p"], "message": "m"}]
        """

    /// Returns the events once all answers were read.
    private static func events(_ answers: [String]) async throws -> (OperatorEvents, asked: [String]) {
        let api = ControlAPI(answers)
        let clock = DrillClock(origin: .now(), warmUp: .zero)
        let events = OperatorEvents(of: "packager-1", at: "127.0.0.1:1", through: api, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await events.run() }
            while api.asked.withLock({ $0.count }) <= answers.count { await Task.yield() }
            group.cancelAll()
        }
        return (events, api.asked.withLock { $0 })
    }

    /// A packager that was killed is not asked in vain: what it has said counts.
    @Test func eventsAreReadAfterTheNewest() async throws {
        let (events, asked) = try await Self.events(["[]", Self.switched, "", "[]"])
        #expect(events.isRead && events.collected.map(\.kind) == ["switched"])
        #expect(asked.prefix(4).map { $0.suffix(8) } == ["&after=0", "&after=0", "&after=7", "&after=7"])
    }

    @Test(arguments: [[""], ["{}"], [switched, #"{"problems": []}"#]])
    func eventsThatCannotBeReadAreNotKnown(_ answers: [String]) async throws {
        #expect(try await !Self.events(answers).0.isRead)
    }
}
