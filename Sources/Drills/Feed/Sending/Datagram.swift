import MPEGTS
package import MediaCore

/// Seven transport packets, as they are sent over a network.
package struct Datagram: Hashable, Sendable {
    static let packetCount = 7
    package static let size = packetCount * TransportPacket.byteCount

    /// When it is sent, since the start of the drill.
    package var time: MediaTime
    package var bytes: [UInt8]
}
