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

    /// Adds what reads and writes the frames of a connection of HTTP/2, and what answers its requests.
    ///
    /// - Parameters:
    ///   - handler: Answers the requests.
    ///   - maximumHeadBytes: Bytes of all header fields of a request, and of its target.
    /// - Throws: An error if the connection has closed meanwhile.
    func addMultiplexer(_ handler: MultiplexHandler, maximumHeadBytes: Int) throws {
        let frames = NIOHTTP2Handler(
            mode: .server,
            connectionConfiguration: MultiplexLimits.connection(maximumHeadBytes: maximumHeadBytes),
            streamConfiguration: MultiplexLimits.stream
        )
        try addHandlers(FrameMeter(), frames, handler)
    }
}
