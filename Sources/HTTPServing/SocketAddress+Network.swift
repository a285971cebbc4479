import MediaCore
import NIOCore

extension SocketAddress {
    /// What a client is counted by; see ``AddressRange/network(of:)``.
    var network: String? { ipAddress.map(AddressRange.network) }
}
