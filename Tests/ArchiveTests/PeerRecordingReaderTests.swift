import Archive
import Fetching
import Logging
import MediaCore
import NIOCore
import Operations
import Synchronization
import Testing

/// A peer that is asked for its recording, and may answer anything.
@Suite struct PeerRecordingReaderTests {
    private static let numbers = MediaSequenceNumber(7)..<MediaSequenceNumber(9)

    private static func watch(_ url: String) -> PeerWatch {
        PeerWatch(
            url: url,
            credentials: "Bearer none",
            channel: "live",
            mediaPrefix: { "/t/pass" },
            events: EventLog(),
            clock: SystemClock(),
            logger: Logger(label: "peer") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static func asking(
        _ url: String,
        hasSecret: Bool = true,
        _ body: (PeerRecordingReader) async -> Void
    ) async {
        await PeerRecordingReader.withReader(
            of: watch(url),
            hasSecret: hasSecret,
            longestAnswer: 100,
            longestFile: 1000,
            body
        )
    }

    @Test(arguments: [
        (true, ["/live/recorded.json?first=7&count=2", "/live/recorded/video/7.m4s"]),
        (false, ["/live/recorded.json?first=7&count=2", "/t/pass/live/video/7.m4s"]),
    ])
    func eachIsAskedForAtItsPlace(hasSecret: Bool, paths: [String]) async throws {
        let asked = Mutex<[String]>([])
        try await CannedPeer.serve { path in
            asked.withLock { $0.append(path) }
            return CannedPeer.answer("found")
        } _: { url in
            await Self.asking(url, hasSecret: hasSecret) { reader in
                #expect(await reader.slots(in: Self.numbers) == .body(ByteBuffer(string: "found")))
                #expect(await reader.media("video/7.m4s") == .body(ByteBuffer(string: "found")))
            }
        }
        #expect(asked.withLock { $0 } == paths)
    }

    @Test(
        arguments: [
            (CannedPeer.answer("", status: "404 Not Found"), true), (CannedPeer.answer("", status: "410 Gone"), true),
            (CannedPeer.answer(String(repeating: "a", count: 1001)), true),
            (CannedPeer.answer("", status: "503 Service Unavailable"), false),
            (CannedPeer.answer("", status: "429 Too Many Requests"), false),
            (CannedPeer.answer("", status: "401 Unauthorized"), false),
            ("HTTP/1.1 302 Found\r\nlocation: /live/elsewhere\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", false), ("", false),
            ("SSH-2.0-OpenSSH_9.2\r\n", false),
        ] as [(String, Bool)]
    )
    func whatIsNoAnswerIsToldApart(answer: String, isOfThisAlone: Bool) async throws {
        try await CannedPeer.serve { _ in
            answer
        } _: { url in
            await Self.asking(url) { reader in
                for answer in [await reader.slots(in: Self.numbers), await reader.media("video/7.m4s")] {
                    switch answer {
                    case .body: Issue.record("it answers")
                    case .nothing(let reason): #expect(isOfThisAlone && !reason.isEmpty)
                    case .silence(let reason): #expect(!isOfThisAlone && !reason.isEmpty)
                    }
                }
            }
        }
    }

    @Test func nobodyThereIsSilence() async {
        // Nothing listens at the port of discard.
        await Self.asking("http://127.0.0.1:9") { reader in
            guard case .silence = await reader.slots(in: Self.numbers) else {
                Issue.record("it answers")
                return
            }
        }
    }
}
