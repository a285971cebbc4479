/// The packets of a segment, in order, before a byte of it is written.
struct SegmentSchedule {
    enum Entry {
        /// PAT and PMT, all their packets.
        case tables
        case unit(PESPacket, clock: Int64)
        /// A packet with nothing but a clock reference.
        case clock(Int64)
    }

    private(set) var entries: [Entry] = []
    private(set) var packetCount = 0
    /// Transport packets from the start to the end of the first picture; nil if decoding cannot start with that.
    private(set) var firstPicturePacketCount: Int?

    private let program: TransportProgram
    /// Tables so far.
    private var tables = 0
    /// The time when the clock was written last.
    private var lastClock: Int64?
    /// The time when the next segment's clock starts, which ours does not overtake.
    private let end: Int64

    /// The number of times that tables are sent, so that their continuity counters end at the value that they started
    /// with.
    private static let tableRepetitions = TransportPacket.counterModulus
    /// 100 ms (ISO/IEC 13818-1 § 2.7.2).
    private static let maximumClockInterval: Int64 = 9_000
    /// A clock bridges no hole longer than a minute: nothing but broken timestamps makes one within a segment.
    private static let maximumClockRun = 600
    /// The time by which an access unit starts to arrive before its decoding: 0.7 s, within the second that a decoder's
    /// buffer may hold it (ISO/IEC 13818-1 § 2.4.2.7).
    private static let decodingDelay: Int64 = 63_000

    /// Orders the access units of each of a program's streams by decode time, the first picture before all others.
    init(_ program: TransportProgram, units: [[TransportAccessUnit]]) {
        self.program = program
        let ends = units.map { $0.last.map { $0.decodeTime &+ $0.duration } }
        end = ends[program.clockStream] ?? ends.compactMap(\.self).min() ?? .min
        let queues = zip(program.streams, units).enumerated().map { index, stream in
            PESPacket.packets(
                of: stream.1,
                kind: stream.0.kind,
                stream: index,
                carriesClock: index == program.clockStream
            )
        }
        let count = queues.reduce(0) { $0 + $1.count }
        entries.reserveCapacity(count + Self.tableRepetitions)
        // No clock exceeds a decode time that follows, even if the first picture overtakes others.
        let start = queues.compactMap(\.first?.decodeTime).min() ?? 0
        var positions = [Int](repeating: 0, count: queues.count)
        for place in 0..<count {
            appendTables(until: 1 + place * Self.tableRepetitions / count)
            let first = place == 0 ? queues.firstIndex { $0.first?.kind.isVideo == true } : nil
            guard let stream = first ?? Self.next(queues, positions) else { break }
            let packet = queues[stream][positions[stream]]
            positions[stream] += 1
            append(packet, at: place == 0 ? start : packet.decodeTime)
            if place == 0, packet.kind.isVideo, packet.isRandomAccess { firstPicturePacketCount = packetCount }
        }
        runClock(until: end)
        appendTables(until: Self.tableRepetitions)
    }

    /// The stream whose next packet is decoded first.
    private static func next(_ queues: [[PESPacket]], _ positions: [Int]) -> Int? {
        var next: (stream: Int, time: Int64)?
        for stream in queues.indices where positions[stream] < queues[stream].count {
            let time = queues[stream][positions[stream]].decodeTime
            if next.map({ time < $0.time }) ?? true { next = (stream, time) }
        }
        return next?.stream
    }

    private mutating func appendTables(until count: Int) {
        while tables < count {
            append(.tables, packets: program.tablePackets.count)
            tables += 1
        }
    }

    private mutating func append(_ packet: PESPacket, at time: Int64) {
        if lastClock == nil, !packet.carriesClock { appendClock(time) }
        runClock(until: time)
        if packet.carriesClock { lastClock = time }
        append(.unit(packet, clock: time &- Self.decodingDelay), packets: packet.packetCount)
    }

    /// Writes the clock wherever it has not been written for too long.
    private mutating func runClock(until time: Int64) {
        guard let start = lastClock else { return }
        let (span, isOverflow) = time.subtractingReportingOverflow(start)
        guard !isOverflow, span <= Self.maximumClockInterval * Int64(Self.maximumClockRun) else { return }
        var next = start &+ Self.maximumClockInterval
        while next < min(time, end) {
            appendClock(next)
            next &+= Self.maximumClockInterval
        }
    }

    private mutating func appendClock(_ time: Int64) {
        lastClock = time
        append(.clock(time &- Self.decodingDelay), packets: 1)
    }

    private mutating func append(_ entry: Entry, packets: Int) {
        entries.append(entry)
        packetCount += packets
    }
}
