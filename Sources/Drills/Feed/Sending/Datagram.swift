import MPEGTS
import MediaCore

/// Seven transport packets, as they are sent over a network.
struct Datagram: Hashable, Sendable {
    static let packetCount = 7
    static let size = packetCount * TransportPacket.byteCount

    /// The time when it is sent, since the start of the drill.
    var time: MediaTime
    var bytes: [UInt8]
}
