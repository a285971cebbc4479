import NIOCore
import NIOPosix

/// A connection that sends what it is told, well-formed or not.
struct RawClient {
    let channel: any Channel
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private(set) var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ByteBuffer()

    /// Connects to the loopback interface and disconnects when `body` is done.
    static func connect<Result: Sendable>(
        port: Int,
        receiveBuffer: Int? = nil,
        from address: String? = nil,
        _ body: (inout RawClient) async throws -> Result
    ) async throws -> Result {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
        if let receiveBuffer { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer) }
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var client = RawClient(
                channel: channel.channel,
                outbound: outbound,
                inbound: inbound.makeAsyncIterator()
            )
            return try await body(&client)
        }
    }

    /// Returns once the servers' threads are done with what they are at: a client has its answer a moment before its
    /// connection counts as idle.
    static func serversHaveSettled() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// Everything up to the end, which the other side must make.
    mutating func receiveAll() async throws -> String {
        do {
            while let bytes = try await inbound.next(isolation: #isolation) { received.writeImmutableBuffer(bytes) }
        } catch is IOError {
            // Reset: what came before it counts.
        }
        return String(buffer: received)
    }

    /// Takes this many bytes.
    mutating func skip(_ count: Int) async throws {
        while received.readableBytes < count, let bytes = try await inbound.next(isolation: #isolation) {
            received.writeImmutableBuffer(bytes)
        }
        received.moveReaderIndex(forwardBy: min(count, received.readableBytes))
        received.discardReadBytes()
    }

    /// Bytes up to the end.
    mutating func countAll() async throws -> Int {
        var count = received.readableBytes
        while let bytes = try await inbound.next(isolation: #isolation) { count += bytes.readableBytes }
        return count
    }

    /// Returns the input up to and including `marker`; all of it where the connection ends before.
    mutating func receive(until marker: String) async throws -> String {
        while true {
            let text = String(buffer: received)
            if let range = text.firstRange(of: marker) {
                let taken = text[..<range.upperBound]
                received.moveReaderIndex(forwardBy: taken.utf8.count)
                return String(taken)
            }
            guard let bytes = try await inbound.next(isolation: #isolation) else { return text }
            received.writeImmutableBuffer(bytes)
        }
    }
}
