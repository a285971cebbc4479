import MPEGTS
import MediaCore

/// Makes packets of an encoder's access units, evenly in time (ISO/IEC 13818-1 § 2.4).
///
/// Each access unit's packets are spread over the time until the next one's, so that nothing bursts. PAT, PMT and the
/// program clock reference have packets of their own, on a grid from the first unit on.
struct FeedMultiplexer: Sendable {
    /// PAT and PMT come at least this often.
    static let tableInterval = MediaTime(milliseconds: 100)
    /// The time between clock references: at most 100 ms (ISO/IEC 13818-1 § 2.7.2); broadcasters want at most 40 (ETSI
    /// TR 101 290 § 5.2.2).
    static let clockInterval = MediaTime(milliseconds: 20)
    /// The time that a unit is in the decoder's buffer before it is decoded; the longest that a picture may take to
    /// send.
    static let bufferDelay = MediaTime(milliseconds: 500)

    private var run: EncoderRun
    private var upcoming: SentUnit?
    /// Being sent: at most one of each PID at a time.
    private var sending: [PacketizedUnit] = []
    /// The continuity counter of the next packet with payload, of each PID.
    private var counters: [UInt16: UInt8] = [:]
    /// The tables that are due and still to be sent.
    private var tables: ArraySlice<TableSection.Packet> = []
    private var announcements: ArraySlice<EncoderRun.Announcement>
    private var part = 0
    /// The version of the program map.
    private var version: UInt8 = 0
    private var nextTables: MediaTime
    private var nextClock: MediaTime

    init(_ run: EncoderRun) {
        self.run = run
        nextTables = run.parts[0].begin
        nextClock = nextTables
        announcements = run.announcements()[...]
        upcoming = self.run.next()
    }

    /// The next packet; nil once the encoder has died.
    mutating func next() -> TimedPacket? {
        while true {
            let place = sending.indices.min { sending[$0].time < sending[$1].time }
            let announcement = announcements.first?.time ?? nextTables
            let time = min(nextTables, nextClock, announcement, place.map { sending[$0].time } ?? nextTables)
            if let unit = upcoming, unit.begin <= time {
                begin(unit)
                upcoming = run.next()
                continue
            }
            if let end = run.end, time >= end { return nil }
            if nextTables <= time { return TimedPacket(time: time, bytes: nextTablePacket(at: time)) }
            if nextClock <= time {
                nextClock += Self.clockInterval
                return TimedPacket(time: time, bytes: clockPacket(at: time))
            }
            if let due = announcements.first, due.time <= time {
                announcements.removeFirst()
                return TimedPacket(time: time, bytes: packet(of: due))
            }
            guard let place else { continue }
            let counter = nextCounter(of: sending[place].pid)
            let packet = TimedPacket(time: time, bytes: sending[place].nextPacket(counter: counter))
            if sending[place].isSent { sending.remove(at: place) }
            return packet
        }
    }

    private mutating func begin(_ unit: SentUnit) {
        if unit.part > part { change(to: unit.part, at: unit.begin) }
        guard let payload = unit.payload else { return }
        let earlier = sending.last { $0.pid == unit.pid }
        sending.append(
            PacketizedUnit(
                pid: unit.pid,
                isKey: unit.isKey,
                bytes: unit.header.bytes(payloadByteCount: payload.count) + payload,
                begin: max(unit.begin, earlier?.end ?? unit.begin),
                end: min(unit.end, unit.begin + Self.bufferDelay)
            )
        )
    }

    private mutating func change(to newPart: Int, at time: MediaTime) {
        // version_number counts changes of the table, not of its streams (ISO/IEC 13818-1 § 2.4.4.9).
        if run.parts[newPart].sample.tables != run.parts[part].sample.tables {
            version = (version + 1) & 31
            nextTables = time
        }
        part = newPart
    }

    /// The program tables, with a stream of splices only if there are any.
    private var programTables: ProgramTables {
        let tables = run.parts[part].sample.tables
        return run.configuration.breaks.isEmpty ? tables : tables.withSplices.tables
    }

    /// A section is shorter than a packet; stuffing follows it (ISO/IEC 13818-1 § 2.4.4).
    private mutating func packet(of announcement: EncoderRun.Announcement) -> [UInt8] {
        let pid = run.parts[part].sample.tables.withSplices.pid
        let payload = ([0] + announcement.section).prefix(TransportPacket.maximumPayload)
        let stuffing = [UInt8](repeating: 0xFF, count: TransportPacket.maximumPayload - payload.count)
        return TransportPacket.bytes(
            pid: pid,
            isUnitStart: true,
            counter: nextCounter(of: pid),
            payload: payload + stuffing
        )
    }

    private mutating func nextTablePacket(at time: MediaTime) -> [UInt8] {
        if tables.isEmpty { tables = programTables.packets(version: version)[...] }
        let table = tables.removeFirst()
        if tables.isEmpty { nextTables = time + Self.tableInterval }
        return TransportPacket.bytes(
            pid: table.pid,
            isUnitStart: table.isUnitStart,
            counter: nextCounter(of: table.pid),
            payload: table.payload
        )
    }

    private mutating func nextCounter(of pid: UInt16) -> UInt8 {
        let counter = counters[pid, default: 0]
        counters[pid] = counter &+ 1
        return counter
    }

    /// A packet with nothing but the clock reference, which the counter does not count (ISO/IEC 13818-1 § 2.4.3.3).
    private func clockPacket(at time: MediaTime) -> [UInt8] {
        let clock =
            run.clock.source(at: time) - run.configuration.delay - Self.bufferDelay + run.timestampOffset(at: time)
        let pid = run.parts[part].sample.tables.map.clockPID
        return TransportPacket.clockReference(clock.ticks, pid: pid, counter: counters[pid, default: 0] &- 1)
    }
}
