/// Why the operator face cannot serve.
package enum ControlError: Error, Hashable, CustomStringConvertible {
    /// Nobody can listen at this address: it is taken, forbidden, or not of this machine.
    case cannotListen(host: String, port: Int, reason: String)

    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason):
            "cannot listen on \(host.contains(":") ? "[\(host)]" : host):\(port): \(reason)"
        }
    }
}
