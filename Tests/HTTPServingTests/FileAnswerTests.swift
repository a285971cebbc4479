import Files
import Foundation
import Glibc
import MediaCore
import NIOCore
import NIOHPACK
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTPServing

/// Bodies that the kernel sends from files.
@Suite(.timeLimit(.minutes(5))) struct FileAnswerTests {
    /// Answers `/LOWER-UPPER` with these bytes of a file, and every other target with itself.
    private final class FileResponder: Responder {
        let path: String
        let files = OpenFiles(limit: 4)

        init(_ path: String) {
            self.path = path
        }

        func verdict(on request: Request) -> Verdict {
            let numbers = request.target.dropFirst().split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2, request.takesFiles else { return .answer(.answer(.text(request.target))) }
            let place = FilePlace(path: path, range: numbers[0]..<numbers[1])
            return .answer(
                .reading { [files] in
                    guard let part = files.part(place) else { return .text("unreadable", .serviceUnavailable) }
                    return .ok([:], part, status: .ok)
                }
            )
        }

        func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer { answer }

        func rejection(_ status: HTTPResponseStatus) -> Answer { .ok([:], ByteBuffer(), status: status) }

        /// Returns once nothing is sent any more.
        func isDone() async throws {
            _ = try await eventually(within: 20, "files are closed") { [files] in files.count == 0 ? true : nil }
        }
    }

    private final class Client {
        private let descriptor: CInt

        init(_ port: Int) throws {
            descriptor = try #require(ClientSocket.connected(to: port))
        }

        deinit { close(descriptor) }

        func ask(_ targets: String...) {
            let text = targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            _ = Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL))
        }

        /// Receives so many bytes, or fewer where the connection ends before.
        func receive(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while bytes.count < count {
                let got = recv(descriptor, &piece, min(piece.count, count - bytes.count), 0)
                guard got > 0 else { break }
                bytes += piece[..<got]
            }
            return bytes
        }

        /// The packets with data that have arrived: `tcpi_data_segs_in` of `tcp_info` in linux/tcp.h.
        var packets: Int {
            var words = [UInt32](repeating: 0, count: 58)
            var size = socklen_t(4 * words.count)
            return getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &words, &size) == 0 ? Int(words[38]) : -1
        }

        /// Receives the head of an answer.
        func head() -> String {
            var head = ""
            while !head.hasSuffix("\r\n\r\n") {
                let byte = receive(1)
                if byte.isEmpty { break }
                head += String(decoding: byte, as: UTF8.self)
            }
            return head
        }
    }

    private static func withServer(_ responder: any Responder, _ body: (_ port: Int) async throws -> Void) async throws
    {
        let configuration = HTTPServer.Configuration(
            host: "127.0.0.1",
            port: 0,
            limits: .init(total: 100, perAddress: 100),
            timeouts: ConnectionTimeouts(write: .seconds(60), linger: .seconds(1), shutdown: .seconds(30)),
            maximumHeadBytes: 16_384,
            maximumBodyBytes: 65_536
        )
        let server = HTTPServer(configuration, now: { .zero }) { _, _ in }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let task = Task {
            try await server.run(onRunning: { continuation.yield($0) }) { _ in responder }
        }
        defer { task.cancel() }
        for await port in ports {
            try await body(port)
            break
        }
        task.cancel()
        _ = await task.result
    }

    @Test func partsOfAFileAndOtherAnswersComeInTheirOrder() async throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<3_000_000).map { UInt8($0 % 251) }
        let answers: [(range: Range<Int>?, text: String)] = [
            (0..<3_000_000, ""), (nil, "/text"), (70_000..<170_000, ""), (10..<20, ""), (nil, "/end"),
        ]
        let responder = FileResponder(try directory.write(Data(bytes), to: "media"))
        try await Self.withServer(responder) { port in
            let client = try Client(port)
            // The connection goes on after each.
            for _ in 0..<2 {
                client.ask("/0-3000000", "/text", "/70000-170000", "/10-20", "/end")
                for (range, text) in answers {
                    let head = client.head()
                    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    if let range {
                        #expect(head.contains("\r\nContent-Length: \(range.count)\r\n"))
                        let isEqual = client.receive(range.count)[...] == bytes[range]
                        #expect(isEqual, "\(range)")
                    } else {
                        #expect(String(decoding: client.receive(text.utf8.count), as: UTF8.self) == text)
                    }
                }
            }
            try await responder.isDone()
        }
    }

    /// A head in a packet of its own would wake the client twice.
    @Test func theHeadTravelsWithTheFirstBytesOfTheFile() async throws {
        let directory = try TemporaryDirectory()
        let responder = FileResponder(try directory.write(Data(count: 1_000), to: "media"))
        try await Self.withServer(responder) { port in
            let client = try Client(port)
            for answers in 1...10 {
                client.ask("/0-1000")
                #expect(client.head().hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(client.receive(1_000).count == 1_000)
                #expect(client.packets == answers)
            }
            try await responder.isDone()
        }
    }

    /// Retention removes files whether they are being sent or not.
    @Test func aFileThatIsRemovedIsSentToItsEnd() async throws {
        let directory = try TemporaryDirectory()
        let bytes = [UInt8](repeating: 7, count: 16_000_000)
        let responder = FileResponder(try directory.write(Data(bytes), to: "media"))
        try await Self.withServer(responder) { port in
            let client = try Client(port)
            client.ask("/0-16000000", "/0-16000000")
            #expect(client.head().hasPrefix("HTTP/1.1 200 OK\r\n"))
            try FileManager.default.removeItem(atPath: responder.path)
            let isEqual = client.receive(bytes.count) == bytes
            #expect(isEqual)
            #expect(client.head().hasPrefix("HTTP/1.1 503 "), "its name leads nowhere now")
            try await responder.isDone()
        }
    }

    /// Files of recordings only grow, but disks have other users.
    @Test func aFileThatIsCutShortEndsTheConnection() async throws {
        let directory = try TemporaryDirectory()
        let responder = FileResponder(try directory.write(Data(count: 64_000_000), to: "media"))
        try await Self.withServer(responder) { port in
            let client = try Client(port)
            client.ask("/0-64000000", "/text")
            #expect(client.head().contains("\r\nContent-Length: 64000000\r\n"))
            #expect(truncate(responder.path, 0) == 0)
            #expect(client.receive(64_000_000).count < 64_000_000)
            try await responder.isDone()
            let other = try Client(port)
            other.ask("/0-64000000", "/text")
            #expect(other.head().hasPrefix("HTTP/1.1 503 "), "it is known to be short now")
        }
    }

    /// What is asked for a second time is copied into a file in memory, and sent from there.
    @Test func aBodyThatManyAskForIsSentFromItsCopy() async throws {
        let body = ByteBuffer(repeating: 7, count: 32_000_000)
        let head = PreparedAnswer.Head(.ok([:], body))
        let prepared = PreparedAnswer(head, body: body, time: .zero)
        try await Self.withServer(FixedResponder(.answer(.answer(.text("parsed"))), prepared: prepared)) { port in
            let client = try Client(port)
            func isWhole() -> Bool {
                client.ask("/")
                let head = client.head()
                return head.contains("\r\nContent-Length: 32000000\r\n")
                    && client.receive(32_000_000) == Array(body.readableBytesView)
            }
            #expect(isWhole() && isWhole())
            let place = try #require(head.copy)
            let copy = try await eventually(within: 10, "it is copied") { place.part(of: body, at: .now()) }
            #expect(isWhole() && isWhole())
            // It shows by what only a file can be.
            #expect(ftruncate(copy.file.descriptor, 0) == 0)
            #expect(!isWhole())
        }
    }

    @Test(arguments: [false, true]) func onlyPlainConnectionsTakeFiles(isSecure: Bool) throws {
        var reader = RequestReader(maximumBodyBytes: 0) { _ in .answer(.answer(.text("whole"))) }
        reader.isSecure = isSecure
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "x"])
        guard case .answer(let request, _) = reader.take(.part(.head(head))) else {
            Issue.record("there is an answer")
            return
        }
        #expect(request.takesFiles == !isSecure)
        let framed: HPACKHeaders = [":method": "GET", ":path": "/", ":authority": "x", ":scheme": "https"]
        #expect(Request(framed, client: 0, isSecure: isSecure)?.takesFiles == false)
    }
}
