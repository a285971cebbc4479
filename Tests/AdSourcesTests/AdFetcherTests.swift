import Fetching
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import AdSources

/// The servers that answers about advertisements are fetched from: by the address that a connection has.
@Suite struct AdFetcherTests {
    /// Redirects `/to?URL` there, `/here` to `/text`, and answers all else with a text.
    private final class Server: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let requests = Mutex(0)

        var requestCount: Int { requests.withLock { $0 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            requests.withLock { $0 += 1 }
            let path = String(buffer: unwrapInboundIn(data)).split(separator: " ").dropFirst().first ?? ""
            let target = path.hasPrefix("/to?") ? String(path.dropFirst(4)) : path == "/here" ? "/text" : nil
            let head = target.map { "302 Found\r\nlocation: \($0)" } ?? "200 OK"
            let answer = "HTTP/1.1 \(head)\r\ncontent-length: 4\r\nconnection: close\r\n\r\ntext"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }

    private func withServers(_ body: (String, String, Server) async throws -> Void) async throws {
        let (first, second) = (Server(), Server())
        var channels: [any Channel] = []
        for handler in [first, second] {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { $0.pipeline.addHandler(handler) }
                .bind(host: "127.0.0.1", port: 0).get()
            channels.append(channel)
        }
        let urls = channels.map { "http://127.0.0.1:\($0.localAddress?.port ?? 0)" }
        try await body(urls[0], urls[1], second)
        for channel in channels { try await channel.close() }
    }

    private static func fetcher(_ reach: AdReach) -> AdFetcher { AdFetcher(timeout: .seconds(60), reach: reach) }

    @Test func onlyTheConfiguredServerMayBePrivate() async throws {
        try await withServers { own, other, otherServer in
            let fetcher = Self.fetcher(AdReach(trusting: own + "/vast?{id}"))
            for path in ["/text", "/here", "/to?\(own)/text"] {
                let fetched = try await fetcher.fetch(own + path)
                #expect(fetched.text == "text")
            }
            let name = other.replacing("127.0.0.1", with: "localhost")
            for url in [other + "/text", "\(own)/to?\(other)/text", name + "/text", "\(own)/to?\(name)/text"] {
                let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(url) }
                let words = url.contains("/to?") ? "where it may not be followed" : "is not a public address"
                #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            }
            #expect(otherServer.requestCount == 0)
            let open = Self.fetcher(AdReach(allowsPrivate: true))
            let fetched = try await open.fetch("\(own)/to?\(other)/text")
            #expect(fetched.text == "text")
            #expect(otherServer.requestCount == 1)
        }
    }

    @Test func redirectsEnd() async throws {
        try await withServers { own, _, _ in
            let circle = "\(own)/to?/to?/to?/to?/to?/to?/to?/text"
            let error = await #expect(throws: FetchError.self) {
                try await Self.fetcher(AdReach(trusting: own)).fetch(circle)
            }
            #expect(error?.description.contains("more than 5 redirects") == true, "\(String(describing: error))")
        }
    }
}
