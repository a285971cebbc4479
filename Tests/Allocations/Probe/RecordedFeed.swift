import MediaCore
import Synchronization

/// Keeps the packets of a feed, so that reading it is not measured.
final class RecordedFeed: InputConsumer {
    struct Packet: Sendable {
        var info: PacketInfo
        var bytes: [UInt8]
    }

    private let state = Mutex((tracks: [InputTrack](), modulus: Int64?.none, packets: [Packet]()))

    var tracks: [InputTrack] { state.withLock { $0.tracks } }
    var modulus: Int64? { state.withLock { $0.modulus } }
    var packets: [Packet] { state.withLock { $0.packets } }

    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        state.withLock { ($0.tracks, $0.modulus) = (tracks, timestampModulus) }
    }

    func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let bytes = payload.withUnsafeBytes { Array($0) }
        state.withLock { $0.packets.append(Packet(info: packet, bytes: bytes)) }
    }

    func inputLost(reason: String) {}
    func inputEnded() {}
}
