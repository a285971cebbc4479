import MPEGTS
import MediaCore

/// A PES packet that is cut into transport packets, evenly in time.
struct PacketizedUnit: Sendable {
    let pid: UInt16
    let begin: MediaTime
    let end: MediaTime
    private let isKey: Bool
    private let bytes: [UInt8]
    private var position = 0
    private var sentCount: Int64 = 0
    private let count: Int64

    /// - Parameters:
    ///   - pid: The PID that it is sent on.
    ///   - isKey: True if its first packet says that decoding may start here.
    ///   - bytes: The PES packet.
    ///   - begin: The time when the first packet is sent.
    ///   - end: The time when the last one has been sent.
    init(pid: UInt16, isKey: Bool, bytes: [UInt8], begin: MediaTime, end: MediaTime) {
        self.pid = pid
        self.isKey = isKey
        self.bytes = bytes
        self.begin = begin
        self.end = max(begin, end)
        let room = TransportPacket.maximumPayload
        count = Int64((bytes.count + (isKey ? TransportPacket.flagsByteCount : 0) + room - 1) / room)
    }

    /// The time when the next packet is sent.
    var time: MediaTime { begin + MediaTime(ticks: (end - begin).ticks * sentCount / count) }

    var isSent: Bool { position == bytes.count }

    mutating func nextPacket(counter: UInt8) -> [UInt8] {
        let isFirst = position == 0
        let marksKey = isFirst && isKey
        let room = TransportPacket.maximumPayload - (marksKey ? TransportPacket.flagsByteCount : 0)
        let payload = bytes[position...].prefix(room)
        position = payload.endIndex
        sentCount += 1
        return TransportPacket.bytes(
            pid: pid,
            isUnitStart: isFirst,
            isRandomAccess: marksKey,
            counter: counter,
            payload: payload
        )
    }
}
