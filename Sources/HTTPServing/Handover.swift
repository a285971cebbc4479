package import NIOCore

/// The sockets that one process hands to another that takes its place, without their clients noticing.
package enum Handover {
    /// A connection without a request at the moment.
    package struct Connection: Sendable {
        /// The descriptor of the connection, which the receiver has to close.
        package var descriptor: CInt
        /// Bytes that were read from the connection and belong to its next request.
        package var bytes: ByteBuffer

        package init(descriptor: CInt, bytes: ByteBuffer) {
            self.descriptor = descriptor
            self.bytes = bytes
        }
    }

    /// Asks handlers to release the connection once it has no request.
    package struct Wanted {}

    /// Reports that a connection can be handed over: all answers are written, and another process can answer the next
    /// requests.
    struct Due {
        /// The head of the request that waits for its answer; empty if none does.
        var request = ByteBuffer()
    }
}
