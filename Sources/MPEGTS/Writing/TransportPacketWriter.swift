import MediaCore
import NIOCore

/// Writes the packets of a schedule, one by one, straight into the segment.
struct TransportPacketWriter {
    private let program: TransportProgram
    /// The next of each stream.
    private var counters: [UInt8]
    /// Tables so far.
    private var tableRepetition = 0
    /// A PES packet's header, which may be longer than a transport packet's payload.
    private var header = ByteBuffer()

    init(_ program: TransportProgram) {
        self.program = program
        counters = [UInt8](repeating: 0, count: program.streams.count)
    }

    mutating func write(
        _ entry: SegmentSchedule.Entry,
        units: [[TransportAccessUnit]],
        to span: inout OutputRawSpan
    ) {
        switch entry {
        case .tables: writeTables(to: &span)
        case .clock(let clock): writeClock(clock, to: &span)
        case .unit(let packet, let clock): write(packet, clock: clock, units: units[packet.stream], to: &span)
        }
    }

    private mutating func writeTables(to span: inout OutputRawSpan) {
        // The first packet is the PAT's; all others are the PMT's, and count on from one repetition to the next.
        let mapPacketCount = program.tablePackets.count - 1
        for (place, packet) in program.tablePackets.enumerated() {
            let counter = place == 0 ? tableRepetition : tableRepetition * mapPacketCount + place - 1
            span.writePacketHeader(
                pid: packet.pid,
                isUnitStart: packet.isUnitStart,
                hasAdaptationField: false,
                counter: UInt8(truncatingIfNeeded: counter)
            )
            span.write(packet.payload.span.bytes)
        }
        tableRepetition += 1
    }

    private func writeClock(_ clock: Int64, to span: inout OutputRawSpan) {
        span.writeClockReference(
            clock,
            pid: program.pids[program.clockStream],
            counter: counters[program.clockStream] &- 1
        )
    }

    private mutating func write(
        _ packet: PESPacket,
        clock: Int64,
        units: [TransportAccessUnit],
        to span: inout OutputRawSpan
    ) {
        header.clear()
        header.writeWithOutputRawSpan(minimumWritableBytes: PESPacket.maximumHeaderByteCount) {
            packet.encodeHeader(into: &$0)
        }
        var filler = PacketFiller(
            packet,
            pid: program.pids[packet.stream],
            counter: counters[packet.stream],
            clock: clock
        )
        filler.write(header.readableBytesSpan, to: &span)
        var (offset, rest) = (packet.offset, packet.payloadByteCount)
        for index in packet.units {
            for piece in units[index].pieces {
                let start = min(offset, piece.readableBytes)
                let end = min(piece.readableBytes, start + rest)
                filler.write(piece.readableBytesSpan.extracting(start..<end), to: &span)
                (offset, rest) = (offset - start, rest - (end - start))
            }
        }
        counters[packet.stream] = filler.counter
    }
}
