import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// One-shot gzip (RFC 1952).
enum Gzip {
    /// The compressed bytes; nil where the compressor failed.
    ///
    /// NIO keeps zlib behind its channel handlers, so the bytes pass through one as a request's body would.
    static func compress(_ body: ByteBuffer) -> ByteBuffer? {
        let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
        defer { _ = try? channel.finish() }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        for part in [HTTPClientRequestPart.head(head), .body(.byteBuffer(body)), .end(nil)] {
            channel.pipeline.syncOperations.write(NIOAny(part), promise: nil)
        }
        channel.pipeline.syncOperations.flush()
        while let part = try? channel.readOutbound(as: HTTPClientRequestPart.self) {
            if case .body(.byteBuffer(let compressed)) = part { return compressed }
        }
        return nil
    }
}
