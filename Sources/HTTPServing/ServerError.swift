/// The reason why a server cannot serve.
package enum ServerError: Error, Hashable, CustomStringConvertible {
    /// The server cannot listen at this address: it is taken, forbidden, or not of this machine.
    case cannotListen(host: String, port: Int, reason: String)

    /// The system has closed the socket that it listened on.
    case stoppedListening(host: String, port: Int)

    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason):
            "cannot listen on \(Self.address(host, port)): \(reason)"
        case .stoppedListening(let host, let port):
            "the system has closed the socket on \(Self.address(host, port)): the packager ends, for it can be reached by nobody"
        }
    }

    private static func address(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
