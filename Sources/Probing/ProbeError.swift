/// The reason why a feed cannot be looked at.
package enum ProbeError: Error, Hashable, Sendable {
    /// Another program waits for feeds there.
    case addressInUse(port: String?)
}

extension ProbeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let port): "\(port.map { "port \($0)" } ?? "its address") is in use by another program"
        }
    }
}
