package import NIOCore

/// What one process hands to another that takes its place: sockets, which clients notice nothing of.
package enum Handover {
    /// A connection of which nothing is asked at the moment.
    package struct Connection: Sendable {
        /// Its descriptor, which whoever gets this has to close.
        package var descriptor: CInt
        /// What was read of it and belongs to the next request.
        package var bytes: ByteBuffer

        package init(descriptor: CInt, bytes: ByteBuffer) {
            self.descriptor = descriptor
            self.bytes = bytes
        }
    }

    /// Asks handlers to let the connection go as soon as nothing is asked of it.
    package struct Wanted {}

    /// Nothing is asked of the connection, and what was answered is written.
    package struct Due {
        package init() {}
    }
}
