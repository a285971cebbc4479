import Archive
import Foundation
import Logging
import MediaCore
import NIOCore
import Operations
import Presentation
import Synchronization
import Testing

/// A peer that refuses, is slow, talks nonsense, is another one, or vanishes keeps nobody from the air.
@Suite struct PeerWindowReaderTests {
    private static let identity = ["format": "fmp4", "encryption": "sample-aes", "window": "24 s"]

    private static func watch(_ url: String, _ events: EventLog = EventLog()) -> PeerWatch {
        PeerWatch(
            url: url,
            credentials: "Bearer none",
            channel: "live",
            events: events,
            clock: SystemClock(),
            logger: Logger(label: "peer") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static func reader(
        _ watch: PeerWatch,
        maximumBytes: Int = .max,
        timeout: Duration = .seconds(60)
    ) -> PeerWindowReader {
        PeerWindowReader(watch: watch, maximumBytes: maximumBytes, timeout: timeout)
    }

    /// A peer's document, and the bytes that it names.
    private static func feed(slots: Int = 3) throws -> (document: String, window: SavedWindow, bodies: [String: String])
    {
        var feed = Feed(nil)
        for _ in 0..<slots { try feed.publish(gaps: []) }
        let window = feed.presentation.saved
        var bodies: [String: String] = [:]
        for file in window.files {
            guard case .found(let resource) = feed.presentation.resource(file.path, now: feed.now) else { continue }
            bodies["/live/\(file.path)"] = String(buffer: try resource.body.read())
        }
        let json = try PeerDocument(configuration: identity, window: window).json()
        return (String(decoding: json, as: UTF8.self), window, bodies)
    }

    @Test func itsWindowComesWithItsBytes() async throws {
        let (document, window, bodies) = try Self.feed()
        try await CannedPeer.serve { path in
            path == "/live/window.json" ? CannedPeer.answer(document) : bodies[path].map { CannedPeer.answer($0) }
        } _: { url in
            let watch = Self.watch(url)
            let answer = try await Self.reader(watch).window(configuration: Self.identity, continuing: nil)
            #expect(answer?.window.window == window)
            #expect(answer?.window.bodies.count == bodies.count)
            #expect(answer?.isJoining == false)
            #expect(watch.problem == nil)
            let one = try await Self.reader(watch, maximumBytes: 1).window(
                configuration: Self.identity,
                continuing: nil
            )
            #expect(one?.window.bodies.count == 1, "enough is enough")
        }
    }

    @Test func onlyTheBytesThatAreMissingAreFetched() async throws {
        let (document, window, bodies) = try Self.feed()
        let asked = Mutex<[String]>([])
        let path = try #require(window.files.first?.path)
        let own = try #require(bodies["/live/\(path)"])
        try await CannedPeer.serve { path in
            if path == "/live/window.json" { return CannedPeer.answer(document) }
            asked.withLock { $0.append(path) }
            return bodies[path].map { CannedPeer.answer($0) }
        } _: { url in
            let journal = RestoredWindow(window: window, bodies: [path: ByteBuffer(string: own)])
            let reader = Self.reader(Self.watch(url))
            let answer = try await reader.window(configuration: Self.identity, continuing: journal)
            #expect(answer?.window.bodies.count == bodies.count)
            #expect(Set(asked.withLock { $0 }) == Set(bodies.keys).subtracting(["/live/\(path)"]))
        }
    }

    @Test(arguments: [
        (
            "another secret", "401 Unauthorized", "{\"encryption\":\"sample-aes\"}",
            "the two packagers have different values of key-secret"
        ),
        (
            "another way", "401 Unauthorized", "{\"encryption\":\"aes-128\"}",
            "encryption is sample-aes on this packager, and aes-128"
        ),
    ])
    func refusalOfAPeerIsAnError(_: String, status: String, body: String, reason: String) async throws {
        try await CannedPeer.serve { _ in
            CannedPeer.answer(body, status: status)
        } _: { url in
            let reader = Self.reader(Self.watch(url))
            let error = await #expect(throws: PeerDisagreement.self) {
                try await reader.window(configuration: Self.identity, continuing: nil)
            }
            #expect(error?.differences.first?.hasPrefix(reason) == true)
            #expect(error.map { "\($0)".hasPrefix("peer of channel live, \(url): ") } == true)
        }
    }

    @Test(
        arguments: [
            (CannedPeer.answer("nonsense"), "its window cannot be read"),
            (CannedPeer.answer("{\"configuration\":{}}"), "its window cannot be read"),
            // A proxy in front of it asks for credentials.
            (CannedPeer.answer("<html>", status: "401 Unauthorized"), "401"),
            (CannedPeer.answer("", status: "404 Not Found"), "404"),
            (
                "HTTP/1.1 308 Permanent Redirect\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
                "redirects are not followed"
            ),
            (CannedPeer.answer("", status: "503 Service Unavailable"), "503"),
            // It vanishes in the middle of its answer.
            ("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"config", "the answer ended early"),
            ("HTTP/1.1 200", "the answer ended early"), ("", "no connection"),
            ("SSH-2.0-OpenSSH_9.2\r\n", "the answer is not HTTP"),
            // It is slow.
            (nil, "no complete answer in time"),
        ] as [(String?, String)]
    )
    func malformedAnswerOfAPeerIsAProblem(answer: String?, problem: String) async throws {
        try await CannedPeer.serve { _ in
            answer
        } _: { url in
            let watch = Self.watch(url)
            let reader = Self.reader(watch, timeout: answer == nil ? .seconds(1) : .seconds(60))
            #expect(try await reader.window(configuration: Self.identity, continuing: nil) == nil)
            let said = try #require(watch.problem)
            #expect(said.contains(problem))
        }
    }

    /// Whatever is asked of it, and whatever the other place would answer.
    @Test(arguments: ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
    func noPeerSendsThisPackagerElsewhere(status: String) async throws {
        let (document, _, _) = try Self.feed()
        let asked = Mutex<[String]>([])
        try await CannedPeer.serve { path in
            asked.withLock { $0.append(path) }
            return CannedPeer.answer(path.hasSuffix("window.json") ? document : #"{"actions":[]}"#)
        } _: { other in
            try await CannedPeer.serve { path in
                "HTTP/1.1 \(status)\r\nlocation: \(other)\(path)\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            } _: { url in
                let watch = Self.watch(url)
                let window = try await Self.reader(watch).window(configuration: Self.identity, continuing: nil)
                #expect(window == nil)
                #expect(watch.problem?.contains("redirects are not followed") == true)
                #expect(await watch.schedule() == nil)
            }
        }
        #expect(asked.withLock { $0 } == [])
    }

    @Test func unreachablePeerIsAProblem() async throws {
        let watch = Self.watch("http://127.0.0.1:1")
        #expect(try await Self.reader(watch).window(configuration: Self.identity, continuing: nil) == nil)
        #expect(watch.problem != nil)
    }

    @Test func oneOfAnotherIdentityIsRefusedWithAllDifferences() async throws {
        let (document, _, _) = try Self.feed()
        try await CannedPeer.serve { _ in
            CannedPeer.answer(document)
        } _: { url in
            let reader = Self.reader(Self.watch(url))
            let own = ["format": "ts", "encryption": "none", "window": "60 s"]
            let error = await #expect(throws: PeerDisagreement.self) {
                try await reader.window(configuration: own, mayDiffer: { $0 == "window" }, continuing: nil)
            }
            #expect(
                error?.differences.sorted() == [
                    "encryption is none on this packager, and sample-aes on the peer",
                    "format is ts on this packager, and fmp4 on the peer",
                ]
            )
        }
    }

    @Test func whatMayDifferIsOnRecord() async throws {
        let (document, window, bodies) = try Self.feed()
        try await CannedPeer.serve { path in
            path == "/live/window.json" ? CannedPeer.answer(document) : bodies[path].map { CannedPeer.answer($0) }
        } _: { url in
            let events = EventLog()
            let watch = Self.watch(url, events)
            let own = Self.identity.merging(["window": "60 s"]) { $1 }
            let reader = Self.reader(watch)
            let answer = try await reader.window(
                configuration: own,
                mayDiffer: { $0 == "window" },
                continuing: nil
            )
            #expect(answer?.window.window == window)
            #expect(
                watch.problem == "it has another configuration: window is 60 s on this packager, and 24 s on the peer"
            )
            #expect(events.entries().map(\.event.kind) == [.peer])
        }
    }

    @Test func bytesThatAreNotThoseThatItListsAreLeftOut() async throws {
        let (document, window, _) = try Self.feed()
        try await CannedPeer.serve { path in
            CannedPeer.answer(path == "/live/window.json" ? document : "others")
        } _: { url in
            let answer = try await Self.reader(Self.watch(url)).window(configuration: Self.identity, continuing: nil)
            #expect(answer?.window.window == window)
            #expect(answer?.window.bodies.isEmpty == true)
        }
    }

    /// The newest bytes come first: what is lost makes the window begin later.
    @Test func peerThatVanishesMidwayLeavesTheNewestSlots() async throws {
        let (document, window, bodies) = try Self.feed(slots: 5)
        let served = Mutex<[String]>([])
        try await CannedPeer.serve { path in
            if path == "/live/window.json" { return CannedPeer.answer(document) }
            guard let body = bodies[path] else { return CannedPeer.answer("", status: "404 Not Found") }
            return served.withLock { served in
                served.append(path)
                return served.count <= 2 ? CannedPeer.answer(body) : "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf"
            }
        } _: { url in
            let answer = try await Self.reader(Self.watch(url)).window(configuration: Self.identity, continuing: nil)
            #expect(answer?.window.bodies.count == 2)
            let numbers = window.files.filter { answer?.window.bodies[$0.path] != nil }.map(\.lastNumber)
            #expect(numbers.allSatisfy { $0 == window.lastNumber })
        }
    }

    @Test func aChannelThatWaitsIsToldWhatIsNew() async throws {
        let (document, window, bodies) = try Self.feed()
        try await CannedPeer.serve { path in
            path == "/live/window.json" ? CannedPeer.answer(document) : bodies[path].map { CannedPeer.answer($0) }
        } _: { url in
            let known = Mutex<RestoredWindow?>(RestoredWindow(window: window, bodies: [:]))
            let told = Mutex<[RestoredWindow]>([])
            await Self.reader(Self.watch(url)).lead(
                continuing: window.lastNumber?.previous,
                known: { known.withLock { $0 } },
                published: { window in
                    told.withLock { $0.append(window) }
                    known.withLock { $0 = nil }
                }
            )
            #expect(told.withLock { $0 }.map(\.window) == [window])
            #expect(told.withLock { $0 }.first?.bodies.count == bodies.count)
        }
    }
}
