import MediaCore
import NIOCore

extension SocketAddress {
    /// The network that a client is counted by; see ``AddressRange/network(of:)``.
    var network: String? { ipAddress.map(AddressRange.network) }
}
