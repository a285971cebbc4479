import MPEGTS
import MediaCore

@testable import Drills

/// A feed as a receiver reads it from datagrams, whatever is wrong with them: the tests' own demultiplexer.
struct ReceivedFeed {
    struct Packet {
        /// The time of its datagram.
        var time: MediaTime
        var packet: ReceivedPacket
    }

    struct Unit: Equatable {
        var pid: UInt16
        /// The time of the datagram that it starts in.
        var time: MediaTime
        var isKey: Bool
        var presentation: Int64
        var decode: Int64
        var payload: [UInt8]
    }

    var datagrams: [Datagram]
    var packets: [Packet] = []
    /// Whole ones, by PID, in order.
    var units: [UInt16: [Unit]] = [:]
    /// Packets whose counter is not the one that follows, by PID.
    var continuityErrors: [UInt16: Int] = [:]
    /// The packets of units of which the rest never came.
    private var cutOffPackets: Set<Int> = []

    init(_ datagrams: [Datagram]) {
        self.datagrams = datagrams
        var counters: [UInt16: UInt8] = [:]
        var open: [UInt16: (unit: Unit, bytes: [UInt8], isDamaged: Bool, places: [Int])] = [:]
        for datagram in datagrams {
            for start in stride(from: 0, to: datagram.bytes.count, by: TransportPacket.byteCount) {
                guard let packet = ReceivedPacket(datagram.bytes[start...]) else { continue }
                packets.append(Packet(time: datagram.time, packet: packet))
                let pid = packet.pid
                let step: UInt8 = packet.payload == nil ? 0 : 1
                if let counter = counters[pid], (counter + step) & 15 != packet.continuityCounter {
                    continuityErrors[pid, default: 0] += 1
                    open[pid]?.isDamaged = true
                }
                counters[pid] = packet.continuityCounter
                guard let payload = packet.payload, pid >= 0x100, pid != 0x1000 else { continue }
                if packet.isUnitStart {
                    let unit = Unit(
                        pid: pid,
                        time: datagram.time,
                        isKey: packet.isRandomAccess,
                        presentation: 0,
                        decode: 0,
                        payload: []
                    )
                    open[pid] = (unit, [], false, [])
                }
                open[pid]?.bytes += payload
                open[pid]?.places.append(packets.count - 1)
                if let unit = open[pid], !unit.isDamaged, let (header, range) = PESHeader.read(unit.bytes),
                    let times = header.times
                {
                    var whole = unit.unit
                    whole.presentation = times.presentation
                    whole.decode = times.decode
                    whole.payload = Array(unit.bytes[range])
                    units[pid, default: []].append(whole)
                    open[pid] = nil
                }
            }
        }
        cutOffPackets = Set(open.values.flatMap(\.places))
    }

    var pictures: [Unit] { units[Sample.video] ?? [] }
    var bytes: [UInt8] { datagrams.flatMap(\.bytes) }

    /// Without what was cut off at the end.
    var wholeBytes: [UInt8] {
        let bytes = bytes
        return packets.indices.filter { !cutOffPackets.contains($0) }
            .flatMap { bytes[($0 * TransportPacket.byteCount)..<(($0 + 1) * TransportPacket.byteCount)] }
    }

    /// Clock references, with the times of their datagrams.
    var clockReferences: [(time: MediaTime, clock: Int64)] {
        packets.compactMap { packet in packet.packet.clockReference.map { (packet.time, $0) } }
    }

    /// The differences between neighbours of a PID, modulo 2^33.
    func steps(_ timestamp: KeyPath<Unit, Int64>, of pid: UInt16) -> [Int64] {
        let timestamps = (units[pid] ?? []).map { $0[keyPath: timestamp] }
        return zip(timestamps, timestamps.dropFirst()).map { Self.distance(from: $0, to: $1) }
    }

    /// The shorter way, modulo 2^33.
    static func distance(from start: Int64, to end: Int64) -> Int64 {
        TransportStreamFeed.distance(from: start, to: end)
    }
}
