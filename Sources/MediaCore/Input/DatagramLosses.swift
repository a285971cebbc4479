/// Datagrams of a feed that its reader did not get, by the place where they were lost.
package struct DatagramLosses: Hashable, Codable, Sendable {
    /// Packets of RTP that never came.
    package var network = 0
    /// Datagrams that the kernel dropped, since the socket's buffer was full.
    package var socket = 0
    /// Datagrams that were dropped since too many waited for the reader.
    package var reader = 0
    /// RTP packets that came in the wrong order, and were sorted: none of them is lost.
    package var reordered = 0

    package init() {}

    /// Datagrams that were lost anywhere.
    package var count: Int { network + socket + reader }

    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.network += b.network
        sum.socket += b.socket
        sum.reader += b.reader
        sum.reordered += b.reordered
        return sum
    }
}
