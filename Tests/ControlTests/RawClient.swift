import NIOCore
import NIOPosix

/// A connection that sends what it is told.
struct RawClient {
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private(set) var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ""

    /// Connects to the loopback interface and disconnects when `body` is done.
    static func connect<Result: Sendable>(
        port: Int,
        readsByItself: Bool = true,
        _ body: (inout RawClient) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: readsByItself)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var client = RawClient(outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&client)
        }
    }

    /// Returns once the servers' threads are done with what they are at: a client has its answer a moment before its
    /// connection counts as idle.
    static func serversHaveSettled() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }

    func get(_ path: String, host: String = "127.0.0.1", fields: String = "") async throws {
        try await outbound.write(
            ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
        )
    }

    /// Returns the input up to and including `marker`; all of it where the connection ends before.
    mutating func receive(until marker: String) async throws -> String {
        while true {
            if let range = received.firstRange(of: marker) {
                defer { received = String(received[range.upperBound...]) }
                return String(received[..<range.upperBound])
            }
            guard let bytes = try await inbound.next(isolation: #isolation) else { return received }
            received += String(buffer: bytes)
        }
    }
}
