import HTTPServing

/// A server whose socket and connections another process may continue with.
struct HandoverListener: Sendable {
    /// The kind of the listener, and its configured address.
    let name: String
    let socket: ServerSocket
    /// Leaves the socket to the other process, and hands connections to the closure.
    let retire: @Sendable (@escaping @Sendable (Handover.Connection) -> Void) -> Void

    init(
        _ name: String,
        _ socket: ServerSocket,
        retire: (@Sendable (@escaping @Sendable (Handover.Connection) -> Void) -> Void)? = nil
    ) {
        self.name = name
        self.socket = socket
        self.retire = retire ?? { socket.retire(to: $0) }
    }
}
