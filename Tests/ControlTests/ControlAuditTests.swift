import Foundation
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Operations
import Synchronization
import Testing

@testable import Control

/// The commands that each role may give, and the records of them.
@Suite struct ControlAuditTests {
    private static let json: HTTPHeaders = ["Content-Type": "application/json"]

    private static let changes: [(HTTPMethod, String, String, ControlRole)] = [
        (.POST, "/reload", "{}", .administrator), (.PUT, "/channels/b", "{}", .administrator),
        (.PATCH, "/channels/live", "{}", .administrator), (.DELETE, "/channels/live", "", .administrator),
        (.POST, "/channels/live/select", #"{"mode": "automatic"}"#, .operator),
        (.POST, "/channels/live/cues", #"{"language": "en", "text": "a", "start": "now", "duration": 3}"#, .operator),
        (.POST, "/channels/live/splices", #"{"event": 7, "out": true, "at": "now", "duration": 30}"#, .operator),
        (.POST, "/channels/live/metadata", #"{"at": "now", "frames": [{"id": "TIT2", "value": "a"}]}"#, .operator),
        (.POST, "/channels/live/dateranges", #"{"ID": "a", "START-DATE": "now", "DURATION": 30}"#, .operator),
        (.PATCH, "/channels/live/dateranges/known", #"{"X-A": "b"}"#, .operator),
        (.DELETE, "/channels/live/dateranges/known", "", .operator),
        (.POST, "/channels/live/recordings", #"{"programme": {"event": 7}}"#, .operator),
        (.DELETE, "/channels/live/recordings/new", "", .operator),
    ]

    private static func ask(
        _ server: ControlServer,
        as requester: Requester,
        _ method: HTTPMethod,
        _ path: String,
        _ body: String = ""
    ) async -> Answer {
        await server.fetch(path, method, json, body: ByteBuffer(string: body), as: requester)
    }

    /// Every route that changes something is in the table above, and needs what that says.
    @Test func everyRouteHasARole() async throws {
        let report = ReloadReport(added: [], changed: [], removed: [], unchanged: [], warnings: [])
        let server = Fixture.server(operated: Papers(report))
        let root = await Self.ask(server, as: Requester(role: .readOnly), .GET, "/")
        let routes = String(buffer: root.body).matches(of: /"(POST|PUT|PATCH|DELETE) \//)
        #expect(routes.count == Self.changes.count)
        for (method, path, body, needed) in Self.changes {
            for role in ControlRole.allCases {
                let requester = Requester(name: "ana", address: "192.0.2.7", role: role)
                let answer = await Self.ask(server, as: requester, method, path, body)
                let text = String(buffer: answer.body)
                #expect((answer.status == .forbidden) == (role < needed), "\(method) \(path) \(role): \(text)")
                if role < needed {
                    #expect(text.contains("this needs the role \(needed.rawValue)"), "\(text)")
                } else {
                    #expect(answer.status.code < 300, "\(method) \(path): \(text)")
                }
            }
        }
        for path in ["/channels", "/metrics", "/events", "/channels/live/configuration", "/webhooks", "/upgrade"] {
            #expect(await Self.ask(server, as: Requester(role: .readOnly), .GET, path).status == .ok)
        }
    }

    @Test func aCommandIsAnEventWithItsClient() async throws {
        let log = Fixture.log(0)
        let server = Fixture.server(events: log)
        let ana = Requester(name: "ana", address: "192.0.2.7", role: .operator)
        for (method, path, body, role) in Self.changes where role == .operator {
            #expect(await Self.ask(server, as: ana, method, path, body).status.code < 300)
        }
        // What is refused changes nothing.
        let over = #"{"event": 7, "out": true, "at": "2026-11-21T11:00:00Z"}"#
        #expect(await Self.ask(server, as: ana, .POST, "/channels/live/splices", over).status != .ok)
        let events = log.entries().map(\.event)
        #expect(events.allSatisfy { $0.kind == .command && $0.channel == "live" })
        #expect(
            events.map(\.message)
                == [
                    "input selection from input-1 (automatic) to automatic", "1 cues in en posted",
                    "splice posted for 2026-11-21T12:00:00.000Z", "metadata posted for 2026-11-21T12:00:00.000Z",
                    "date range a posted", "date range known changed", "date range known removed",
                    "recording new posted",
                    "recording new removed",
                ].map { "Changed by ana at 192.0.2.7: \($0)." }
        )
    }

    /// The events of the channel itself, and those of what follows, say who it was.
    @Test(arguments: [#"{"input": "backup-1", "hold": true}"#, #"{"mode": "automatic"}"#])
    func aSelectionNamesItsClient(command: String) async throws {
        let channel = StubChannel(Fixture.live)
        let requester = Requester(name: "ana", address: "192.0.2.7", role: .operator)
        let server = Fixture.server(channels: [channel])
        #expect(await Self.ask(server, as: requester, .POST, "/channels/live/select", command).status == .ok)
        #expect(channel.client == "ana at 192.0.2.7")
    }

    /// Live captions are posted many times a minute.
    @Test func aStreamOfCuesIsNoFloodOfEvents() async throws {
        let log = Fixture.log(0)
        let server = Fixture.server(events: log)
        let cue = #"{"language": "en", "text": "a", "start": "now", "duration": 3}"#
        for name in ["ana", "ben"] {
            for _ in 0..<50 {
                let requester = Requester(name: name, address: "192.0.2.7", role: .operator)
                #expect(await Self.ask(server, as: requester, .POST, "/channels/live/cues", cue).status == .ok)
            }
        }
        #expect(log.entries().count == 2)
    }

    @Test func refusalsAreCountedAndToldOnceInAWhile() throws {
        let log = Fixture.log(0)
        let audit = ControlAudit(
            events: log,
            now: { Fixture.now },
            logger: Logger(label: "control") { _ in SwiftLogNoOpLogHandler() }
        )
        #expect(audit.refusals == [401: 0, 403: 0])
        for _ in 0..<10_000 {
            audit.refused(401, "GET /channels", of: Requester(address: "192.0.2.7", role: .readOnly))
        }
        audit.refused(403, "POST /reload", of: Requester(name: "ana", address: "192.0.2.8", role: .operator))
        #expect(audit.refusals == [401: 10_000, 403: 1])
        let events = log.entries().map(\.event)
        #expect(events.map(\.kind) == [.accessRefused, .accessRefused])
        #expect(
            events.map(\.message) == [
                "The control API refused GET /channels of a client without a token at 192.0.2.7 (401).",
                "The control API refused POST /reload of ana at 192.0.2.8 (403).",
            ]
        )
    }

    /// A collector counts by them.
    @Test func numbersOfTheLogAreNumbers() {
        let log = NumberLog()
        let audit = ControlAudit(
            events: Fixture.log(0),
            now: { Fixture.now },
            logger: Logger(label: "control") { _ in log }
        )
        let requester = Requester(address: "192.0.2.7", role: .readOnly)
        audit.refused(401, "GET /channels", of: requester)
        #expect(log.numbers == ["status", "others"])
        audit.failed(409, "PUT /channels/b", of: requester)
        #expect(log.numbers == ["status"])
    }

    @Test func occurrencesAreLimited() {
        var limit = OccurrenceLimit<Int>(period: MediaTime(seconds: 10))
        let now = Fixture.now
        #expect(limit.admit(1, at: now) == 0)
        #expect(limit.admit(1, at: now + MediaTime(seconds: 9)) == nil)
        #expect(limit.admit(2, at: now + MediaTime(seconds: 9)) == 0)
        #expect(limit.admit(1, at: now + MediaTime(seconds: 10)) == 1)
        // A clock that was set back begins anew.
        #expect(limit.admit(1, at: now) == 0)
        for kind in 0..<2000 { _ = limit.admit(kind, at: now) }
        #expect(limit.admit(100_001, at: now) == nil)
        #expect(limit.admit(100_001, at: now + MediaTime(seconds: 20)) == 0)
    }
}

/// Keeps which variables of the newest line JSON has as numbers.
private final class NumberLog: LogHandler, Sendable {
    private let names = Mutex<Set<String>>([])
    var numbers: Set<String> { names.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let numbers = (event.metadata ?? [:]).filter {
            if case .stringConvertible(let value) = $0.value { value is Int } else { false }
        }
        names.withLock { $0 = Set(numbers.keys) }
    }
}
