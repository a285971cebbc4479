import Fetching
import MediaCore
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite struct OriginClientTests {
    /// Answers each path with bytes of its own, whatever the request says; `/never` gets half an answer, and `/cut` the
    /// end of the connection after that.
    private final class CannedAnswers: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private static let answers = [
            "/text": "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n#EXTM3U",
            "/dated": "HTTP/1.1 200 OK\r\ndate: Tue, 29 Feb 2000 00:00:07 GMT\r\ncontent-length: 0\r\n\r\n",
            "/misdated": "HTTP/1.1 200 OK\r\ndate: 951782407\r\ncontent-length: 0\r\n\r\n",
            "/faroff": "HTTP/1.1 200 OK\r\ndate: Mon, 01 Jan 5000000 00:00:00 GMT\r\ncontent-length: 0\r\n\r\n",
            "/moved": "HTTP/1.1 302 Found\r\nlocation: /text\r\ncontent-length: 0\r\n\r\n",
            "/away":
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://user:secret@inside.example:81/x?key=secret\r\n"
                + "content-length: 0\r\n\r\n",
            "/strange": "HTTP/1.1 302 Found\r\nlocation: http://a,b/\r\ncontent-length: 0\r\n\r\n",
            "/round": "HTTP/1.1 302 Found\r\nlocation: /round\r\ncontent-length: 0\r\n\r\n",
            "/nowhere": "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n",
            "/busy": "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 4\r\n\r\nbusy",
            "/long": "HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + String(repeating: "x", count: 2000),
            "/never": "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf",
            "/cut": "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf", "/shell": "SSH-2.0-OpenSSH_9.2\r\n",
        ]

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = String(buffer: unwrapInboundIn(data))
            guard let path = request.split(separator: " ").dropFirst().first, let answer = Self.answers[String(path)]
            else { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            if path == "/cut" { context.close(promise: nil) }
        }
    }

    @discardableResult
    private func withServer<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CannedAnswers())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result = try await body("http://127.0.0.1:\(server.localAddress?.port ?? 0)")
        try await server.close()
        return result
    }

    @Test(arguments: [("/text", "/text"), ("/moved", "/text")])
    func aResourceComesWithTheURLWhereItWasFound(path: String, found: String) async throws {
        try await withServer { server in
            let resource = try await OriginClient.withClient { try await $0.fetch(server + path) }
            #expect(resource.text == "#EXTM3U")
            #expect(resource.url == server + found)
            #expect(resource.isMultiplexed == false)
        }
    }

    @Test func theAddressOfTheServerIsTold() async throws {
        let addresses = Mutex<[String]>([])
        try await withServer { server in
            let client = OriginClient { address in addresses.withLock { $0.append(address) } }
            let resource = try? await client.fetch(server + "/text")
            await client.shutdown()
            #expect(resource?.text == "#EXTM3U")
        }
        #expect(addresses.withLock { $0 } == ["127.0.0.1"])
    }

    @Test(
        arguments: [
            ("/text", nil), ("/dated", MediaTime(seconds: 951_782_407)), ("/misdated", nil), ("/faroff", nil),
        ] as [(String, MediaTime?)]
    )
    func aResourceComesWithTheOriginsClock(path: String, date: MediaTime?) async throws {
        try await withServer { server in
            let resource = try await OriginClient.withClient { try await $0.fetch(server + path) }
            #expect(resource.date == date)
        }
    }

    @Test(arguments: [
        ("/busy", FetchError.status(503)), ("/long", .tooLarge(limit: 1000)), ("/never", .timeout),
        ("/cut", .failed("the answer ended early")), ("/shell", .failed("the answer is not HTTP")),
    ])
    func whatFailsIsTyped(path: String, error: FetchError) async throws {
        // An answer that is there may take as long as a busy machine needs for it.
        let timeout = error == .timeout ? Duration.milliseconds(200) : .seconds(60)
        let configuration = OriginClient.Configuration(timeout: timeout, maximumBytes: 1000)
        try await withServer { server in
            await #expect(throws: error) {
                try await OriginClient.withClient(configuration) { try await $0.fetch(server + path) }
            }
        }
    }

    // MARK: Redirects

    private func guarded(
        _ url: String,
        redirecting mayLead: @escaping @Sendable (String) -> Bool
    ) async throws(FetchError) -> FetchedResource {
        let configuration = OriginClient.Configuration(followsRedirects: false)
        return try await OriginClient.withClient(configuration) { client throws(FetchError) in
            try await GuardedFetcher(client, redirecting: mayLead).fetch(url)
        }
    }

    @Test func aRedirectIsFollowedWhereItMayLead() async throws {
        try await withServer { server in
            let resource = try await guarded(server + "/moved") { $0 == server + "/text" }
            #expect(resource.text == "#EXTM3U" && resource.url == server + "/text")
            let direct = try await guarded(server + "/text") { _ in false }
            #expect(direct.text == "#EXTM3U")
            await #expect(throws: FetchError.redirected(to: String(server.dropFirst("http://".count)))) {
                try await guarded(server + "/moved") { _ in false }
            }
        }
    }

    @Test(arguments: [("/away", "inside.example:81"), ("/strange", "another place")])
    func aRedirectThatIsRefusedIsNamedByItsHost(path: String, host: String) async throws {
        try await withServer { server in
            let error = await #expect(throws: FetchError.self) { try await guarded(server + path) { _ in false } }
            #expect(error?.description == "it redirects to \(host), where it may not be followed")
        }
    }

    @Test(arguments: [
        ("https://a/keys", "https://b/keys", true), ("https://a/keys", "http://a/keys", false),
        ("HTTPS://a/keys", "HTTP://a/keys", false), ("https://a/keys", "ftp://a/keys", false),
        ("http://a/keys", "http://b/keys", true), ("http://a/keys", "https://b/keys", true),
    ])
    func whatIsSecureMayStaySo(url: String, next: String, isAllowed: Bool) {
        #expect(GuardedFetcher.staysSecure(next, from: url) == isAllowed)
    }

    @Test(arguments: [301, 302, 307, 308]) func redirectsThatAreNotFollowedAreToldInWords(status: Int) {
        #expect(FetchError.status(status).description == "status \(status), and redirects are not followed")
        #expect(FetchError.status(404).description == "status 404")
    }

    @Test func redirectsEnd() async throws {
        let asked = Mutex(0)
        try await withServer { server in
            let error = await #expect(throws: FetchError.self) {
                try await guarded(server + "/round") { _ in
                    asked.withLock { $0 += 1 }
                    return true
                }
            }
            #expect(error?.description.contains("more than 5 redirects") == true)
            await #expect(throws: FetchError.status(302)) { try await guarded(server + "/nowhere") { _ in true } }
        }
        #expect(asked.withLock { $0 } == 6)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "index.m3u8", "http://"])
    func otherURLsAreRefused(url: String) async {
        await #expect(throws: FetchError.invalidURL(url)) {
            try await OriginClient.withClient { try await $0.fetch(url) }
        }
    }

    @Test func aServerThatIsNotThereIsNoConnection() async throws {
        let address = try await withServer { $0 }
        let error = await #expect(throws: FetchError.self) {
            try await OriginClient.withClient { try await $0.fetch(address + "/text") }
        }
        guard case .connection = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
