import NIOCore
import Testing

@testable import HTTPServing

@Suite struct ClientNetworkTests {
    /// A client has a whole /64 network of IPv6 addresses, and one of IPv4, also through a socket for both.
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:0:1::1", "20:1:d:b8:0:0:0:1"),
        ("2001:db8:0:1:ffff::2", "20:1:d:b8:0:0:0:1"), ("2001:db8:0:2::1", "20:1:d:b8:0:0:0:2"),
        ("::1", "0:0:0:0:0:0:0:0"),
    ])
    func aClientIsCountedByWhatItCannotChoose(address: String, network: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: 1).network == network)
        #expect(try SocketAddress(ipAddress: address, port: 2).network == network)
    }
}
