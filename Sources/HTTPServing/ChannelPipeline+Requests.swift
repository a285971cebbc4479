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
                // NIO's decoder limits neither the target nor the bytes after an upgrade.
                maximumBufferSize: maximumHeadBytes
            )
        )
    }

    /// Adds the handlers for the frames of a connection of HTTP/2, and the handler that answers its requests.
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
