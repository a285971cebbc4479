/// A host and a TCP port to listen at.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, IPv6 without brackets.
    package var host: String
    /// 0 for any free port.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
