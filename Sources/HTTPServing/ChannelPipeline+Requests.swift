import NIOCore
import NIOHTTP1

extension ChannelPipeline.SynchronousOperations {
    /// Adds what every HTTP/1 connection begins with: its guard at the level of bytes, and the decoder of its requests.
    ///
    /// - Parameters:
    ///   - timeouts: How long a client may take.
    ///   - maximumHeadBytes: Bytes of all header fields of a request, and of its target.
    ///   - successor: Who takes connections over when the server is to shut down; nil where they are closed.
    /// - Throws: Where the connection has closed meanwhile.
    func addRequestHandlers(
        timeouts: ConnectionTimeouts,
        maximumHeadBytes: Int,
        successor: @escaping () -> (@Sendable (Handover.Connection) -> Void)? = { nil }
    ) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumHeadBytes
        limits.maxHeaderListSize = maximumHeadBytes
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits),
            // NIO's decoder has no limit for the target, nor for what follows an upgrade.
            maximumBufferSize: maximumHeadBytes
        )
        try addHandler(ConnectionHandler(timeouts: timeouts, successor: successor))
        try addHandler(decoder)
    }
}
