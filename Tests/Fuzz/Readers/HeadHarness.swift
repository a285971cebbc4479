import HTTPServing
import NIOCore
import NIOEmbedded
import NIOHTTP1

/// Heads of requests that are answered without a parser: what is read of them is what the parser reads.
enum HeadHarness {
    static func run(_ bytes: [UInt8]) {
        let buffer = ByteBuffer(bytes: bytes)
        // A server leaves longer ones to the parser.
        guard bytes.count <= 16_384, let get = PlainGet(buffer) else { return }
        do {
            let channel = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
            try channel.writeInbound(buffer)
            guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self),
                case .end(nil)? = try channel.readInbound(as: HTTPServerRequestPart.self),
                try channel.finish().isClean, isSame(get, head)
            else { fatalError("the parser reads something else") }
        } catch {
            fatalError("the parser refuses it: \(error)")
        }
    }

    private static func isSame(_ get: PlainGet, _ head: HTTPRequestHead) -> Bool {
        func isSame(_ name: String, _ value: Range<Int>?) -> Bool {
            head.headers[name] == (value.map { [get.text($0)] } ?? [])
        }
        let reports = head.headers.filter { $0.name.lowercased().hasPrefix("cmcd-") }.map { $0.value }
        return head.method == .GET && head.uri == get.text(get.target) && head.inOriginForm()?.uri == head.uri
            && !head.isLastOfConnection && isSame("Accept-Encoding", get.acceptEncoding)
            && isSame("User-Agent", get.userAgent) && isSame("Referer", get.referer)
            && head.headers.first(name: "Cookie") == get.value(of: "cookie").map(get.text)
            && reports == get.reports.map { get.text($0) } && !head.headers.contains(name: "Range")
    }
}
