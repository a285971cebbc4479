import NIOCore

/// Reads packet by packet.
struct TransportStreamReader {
    var stream: ParsedTransportStream
    private let bytes: ByteBuffer
    private var association = SectionCollector()
    private var program = SectionCollector()
    private var mapPID: UInt16?
    /// The units of each PID that have started and not yet ended.
    private var open: [UInt16: OpenUnit] = [:]
    /// PIDs on which something continues that did not start.
    private var strays: Set<UInt16> = []
    /// True if something came before the tables.
    private var isOutOfOrder = false

    struct OpenUnit {
        var range: Range<Int>
        var isRandomAccess: Bool
        /// The last before it started.
        var clock: Int64?
        var bytes: ByteBuffer

        mutating func append(_ payload: ByteBuffer, end: Int) {
            bytes.writeImmutableBuffer(payload)
            range = range.lowerBound..<end
        }
    }

    /// Takes bytes whose reader index is 0.
    init(_ bytes: ByteBuffer, after state: TransportStreamState) {
        self.bytes = bytes
        stream = ParsedTransportStream(state: state)
    }

    mutating func read() {
        for offset in stride(from: 0, to: bytes.readableBytes, by: ParsedTransportPacket.byteCount) {
            do throws(ParsedTransportPacket.Malformed) {
                try read(ParsedTransportPacket(bytes, at: offset), at: offset)
            } catch {
                note(error.rule, at: offset)
            }
        }
        for pid in open.keys.sorted() { close(pid) }
        if stream.clocks.isEmpty { note(.noClock, at: 0) }
        if stream.map == nil, !isOutOfOrder { note(.tablesNotFirst, at: 0) }
    }

    private mutating func note(_ rule: TransportStreamViolation.Rule, _ pid: UInt16? = nil, at offset: Int) {
        stream.violations.append(TransportStreamViolation(rule: rule, pid: pid, offset: offset))
    }

    private mutating func read(_ packet: ParsedTransportPacket, at offset: Int) {
        // ISO/IEC 13818-1 § 2.4.3.3: null packets have no meaning, nor has their counter.
        guard packet.pid != ParsedTransportPacket.nullPID else { return }
        if packet.hasError { return note(.transportError, packet.pid, at: offset) }
        checkContinuity(packet, at: offset)
        if packet.isScrambled { return note(.scrambled, packet.pid, at: offset) }
        // RFC 8216bis § 3.1.1: PAT and PMT first. Other tables that DVB and ATSC have may stand among them.
        let isTable = packet.pid == 0 || packet.pid == mapPID || Self.isReserved(packet.pid)
        if !isTable, stream.map == nil, !isOutOfOrder {
            isOutOfOrder = true
            note(.tablesNotFirst, at: offset)
        }
        if let clock = packet.clock, packet.pid == stream.map?.clockPID {
            checkClock(clock, isDiscontinuous: packet.isDiscontinuous, at: offset)
        }

        guard let range = packet.payload, let payload = bytes.getSlice(at: range.lowerBound, length: range.count) else {
            return
        }
        stream.packetCounts[packet.pid, default: 0] += 1
        if packet.pid == 0 || packet.pid == mapPID {
            let bytes = Array(payload.readableBytesView)
            let sections =
                packet.pid == 0
                ? association.collect(bytes, isUnitStart: packet.isUnitStart)
                : program.collect(bytes, isUnitStart: packet.isUnitStart)
            for section in sections { read(section, packet.pid, at: offset) }
        } else if stream.map?.streams.contains(where: { $0.pid == packet.pid }) == true {
            collect(payload, of: packet, at: offset)
        } else if !Self.isReserved(packet.pid) {
            note(.unannouncedPID, packet.pid, at: offset)
        }
    }

    /// Returns true for PIDs of tables that no program map announces: those of ISO/IEC 13818-1 § 2.4.3.3 and of DVB, and
    /// the base PID of ATSC.
    private static func isReserved(_ pid: UInt16) -> Bool { (0x01...0x1F).contains(pid) || pid == 0x1FFB }

    private mutating func checkContinuity(_ packet: ParsedTransportPacket, at offset: Int) {
        defer { stream.state.counters[packet.pid] = packet.continuityCounter }
        guard let last = stream.state.counters[packet.pid], !packet.isDiscontinuous else { return }
        let expected = packet.payload == nil ? last : (last + 1) & 0x0F
        if packet.continuityCounter != expected { note(.continuityJump, packet.pid, at: offset) }
    }

    private mutating func checkClock(_ clock: Int64, isDiscontinuous: Bool, at offset: Int) {
        if let last = stream.state.clock, !isDiscontinuous {
            let distance = TransportTime.distance(from: last, to: clock)
            if distance < 0 { note(.clockBackwards, stream.map?.clockPID, at: offset) }
            // ISO/IEC 13818-1 § 2.7.2: at least every 100 ms.
            if distance > 9_000 { note(.clockTooRare, stream.map?.clockPID, at: offset) }
        }
        stream.clocks.append(ParsedTransportStream.Clock(time: clock, offset: offset))
        stream.state.clock = clock
    }

    // MARK: - Tables

    private mutating func read(_ section: [UInt8], _ pid: UInt16, at offset: Int) {
        do throws(ParsedTransportPacket.Malformed) {
            let section = try ParsedSection(section)
            if pid == 0 { try readAssociation(section, at: offset) } else { try readMap(section, at: offset) }
        } catch {
            note(error.rule, pid, at: offset)
        }
    }

    private mutating func readAssociation(
        _ section: ParsedSection,
        at offset: Int
    ) throws(ParsedTransportPacket.Malformed) {
        guard section.tableID == 0, section.body.count % 4 == 0 else { throw .init(rule: .malformedSection) }
        let body = Array(section.body)
        // Program 0 is the network's.
        let entries = stride(from: 0, to: body.count, by: 4).filter { body[$0] != 0 || body[$0 + 1] != 0 }
        let pids: [UInt16] = entries.map { UInt16(body[$0 + 2] & 0x1F) << 8 | UInt16(body[$0 + 3]) }
        // RFC 8216bis § 3.1.1: a single program.
        if pids.count != 1 { note(.severalPrograms, 0, at: offset) }
        mapPID = pids.first
        stream.associationOffsets.append(offset)
    }

    private mutating func readMap(_ section: ParsedSection, at offset: Int) throws(ParsedTransportPacket.Malformed) {
        let map = try ParsedProgramMap(section)
        // § 2.4.4.9: the version is another one whenever anything changes; within a segment nothing may.
        let isKnown = stream.map.map { $0 == map } ?? true
        let isNew = stream.state.map.map { $0.describesSame(as: map) || $0.version != map.version } ?? true
        if !isKnown || !isNew { note(.tableChanged, mapPID, at: offset) }
        stream.map = stream.map ?? map
        stream.state.map = map
        stream.mapOffsets.append(offset)
    }

    // MARK: - PES packets

    private mutating func collect(_ payload: ByteBuffer, of packet: ParsedTransportPacket, at offset: Int) {
        let end = offset + ParsedTransportPacket.byteCount
        if packet.isUnitStart {
            close(packet.pid)
            open[packet.pid] = OpenUnit(
                range: offset..<end,
                isRandomAccess: packet.isRandomAccess,
                clock: stream.state.clock,
                bytes: payload
            )
        } else if open[packet.pid] == nil {
            if strays.insert(packet.pid).inserted { note(.unitNotAtStart, packet.pid, at: offset) }
        } else {
            open[packet.pid]?.append(payload, end: end)
        }
    }

    private mutating func close(_ pid: UInt16) {
        guard let unit = open.removeValue(forKey: pid) else { return }
        do throws(ParsedTransportPacket.Malformed) {
            var packet = try ParsedPESPacket(unit.bytes)
            packet.isRandomAccess = unit.isRandomAccess
            packet.range = unit.range
            let isFirst = stream.units[pid] == nil
            guard let decodeTime = packet.decodeTime, let presentationTime = packet.presentationTime else {
                if isFirst { throw .init(rule: .missingTimestamp) }
                if let last = stream.units[pid]?.indices.last { stream.units[pid]?[last].append(packet) }
                return
            }
            let start = unit.range.lowerBound
            if TransportTime.distance(from: decodeTime, to: presentationTime) < 0 {
                note(.presentationBeforeDecoding, pid, at: start)
            }
            if let last = stream.state.decodeTimes[pid], TransportTime.distance(from: last, to: decodeTime) <= 0 {
                note(.decodeTimesNotRising, pid, at: start)
            }
            if let clock = unit.clock, TransportTime.distance(from: clock, to: decodeTime) < 0 {
                note(.clockAfterDecoding, pid, at: start)
            }
            let isVideo = stream.map?.streams.contains { $0.pid == pid && $0.isVideo } == true
            if isFirst, isVideo, !packet.isRandomAccess { note(.noRandomAccess, pid, at: start) }
            stream.state.decodeTimes[pid] = decodeTime
            stream.units[pid, default: []].append(packet)
        } catch {
            note(error.rule, pid, at: unit.range.lowerBound)
        }
    }
}
