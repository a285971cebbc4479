import NIOCore
import NIOHTTP1
import NIOHTTP2

extension ChannelPipeline.SynchronousOperations {
    /// Adds the decoder of the requests of a connection of HTTP/1.
    ///
    /// - Parameter maximumHeadBytes: Bytes of all header fields of a request, and of its target.
    /// - Throws: An error if the connection has closed meanwhile.
    func addRequestDecoder(maximumHeadBytes: Int) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumHeadBytes
        limits.maxHeaderListSize = maximumHeadBytes
        try addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits),
                // NIO's decoder has no limit for the target, nor for what follows an upgrade.
                maximumBufferSize: maximumHeadBytes
            )
        )
    }

    /// Adds what makes streams of a connection of HTTP/2.
    ///
    /// - Parameters:
    ///   - pass: Its place.
    ///   - timeouts: The times that a client may take.
    ///   - maximumHeadBytes: Bytes of all header fields of a request, and of its target.
    ///   - setUp: Adds what answers the request of a stream, which comes as payloads of frames.
    /// - Throws: An error if the connection has closed meanwhile.
    func addMultiplexer(
        pass: ConnectionGate.Pass,
        timeouts: ConnectionTimeouts,
        maximumHeadBytes: Int,
        setUp: @escaping @Sendable (any Channel) throws -> Void
    ) throws {
        let shutdown = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: eventLoop,
            configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil)
        )
        let connection = MultiplexHandler(pass: pass, idleTimeout: timeouts.idle)
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        let multiplexer = NIOHTTP2Handler(
            mode: .server,
            eventLoop: eventLoop,
            connectionConfiguration: MultiplexLimits.connection(maximumHeadBytes: maximumHeadBytes),
            streamConfiguration: MultiplexLimits.stream,
            streamDelegate: shutdown.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    StreamHandler(connection: bound.value, timeouts: timeouts)
                )
                try setUp(stream)
            }
        }
        try addHandlers(FrameMeter(), multiplexer, shutdown, connection)
    }
}
