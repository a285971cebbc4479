import MediaCore

/// Puts the payloads of RTP packets in order, and counts those that are missing (RFC 3550 § 5.1, appendix A.1).
///
/// An early packet waits for the packets before it; the time, and the number of waiting packets, are limited. Repeated
/// packets have no effect, so that a feed may be sent twice (SMPTE ST 2022-7).
struct RTPReader {
    /// Packets by their fate.
    struct Counts: Hashable {
        var lost = 0
        /// Packets that came after a later one, and were put in order.
        var reordered = 0
        /// Packets that came a second time, or after those behind them were passed on.
        var behind = 0
        /// Packets of another payload type, and datagrams that are no RTP.
        var foreign = 0
        /// The number of packets from another source while the present one sends.
        var ofOthers = 0
    }

    /// The payload type of MPEG transport streams (RFC 3551 § 6).
    static let transportStream: UInt8 = 33

    private(set) var counts = Counts()
    /// The payload type of the first packet; nil before there is one.
    private(set) var payloadType: UInt8?
    /// The synchronisation source of the feed.
    private(set) var source: UInt32?
    /// The arrival of its last packet.
    private var heard: Int64 = 0
    /// The arrival of the last packet of the present count.
    private var counted: Int64 = 0
    /// The number of the packet that is next.
    private var next: UInt16 = 0
    /// Packets that wait for one before them, in their order.
    private var waiting: [Waiting] = []
    private var waitingByteCount = 0
    private let mostWaiting: Int

    private struct Waiting {
        var number: UInt16
        var payload: [UInt8]
        var arrival: Int64
    }

    /// Bytes that wait for a packet that is missing: 4,096 packets of the length that a network takes (Ethernet).
    private static let mostWaitingBytes = 6 << 20
    /// Nanoseconds that a packet waits for one that is missing.
    private static let patience: Int64 = 100_000_000
    /// The silence, in nanoseconds, after which another source may replace the present one.
    private static let silence: Int64 = 500_000_000
    /// Numbers by which a packet may be behind or ahead and still be one of the same count (RFC 3550 appendix A.1,
    /// MAX_MISORDER and MAX_DROPOUT).
    private static let furthest = (behind: 1_000, ahead: 3_000)

    /// Packets that wait for one that is missing.
    var waitingCount: Int { waiting.count }

    /// - Parameter mostWaiting: Packets that wait for one that is missing; at 0 none does.
    init(mostWaiting: Int) {
        self.mostWaiting = mostWaiting
    }

    /// Reads a packet.
    ///
    /// - Parameters:
    ///   - datagram: A datagram as it came.
    ///   - arrival: The time at which it came, in nanoseconds of a monotonic clock.
    ///   - batch: Gets the payloads whose turn it is.
    mutating func read(_ datagram: RawSpan, at arrival: Int64, into batch: inout DatagramBatch) {
        guard let packet = RTPPacket(datagram), packet.payloadType == payloadType ?? packet.payloadType else {
            return counts.foreign += 1
        }
        if let source, source != packet.source, arrival - heard < Self.silence { return counts.ofOthers += 1 }
        payloadType = packet.payloadType
        heard = arrival
        let ahead = Int(Int16(bitPattern: packet.number &- next))
        let isFar = ahead < -Self.furthest.behind || ahead > Self.furthest.ahead
        // The other copy of a feed that comes twice may be far behind (SMPTE ST 2022-7 allows 450 ms).
        if source == packet.source, isFar, arrival - counted <= Self.patience { return counts.behind += 1 }
        // A sender that has started anew counts from elsewhere.
        if source != packet.source || isFar {
            begin(packet, &batch)
        } else if ahead < 0 {
            return counts.behind += 1
        }
        counted = arrival
        let payload = datagram.extracting(packet.payload)
        if packet.number == next {
            batch.append(payload, at: arrival)
            next &+= 1
            if !waiting.isEmpty { counts.reordered += 1 }
            release(into: &batch)
        } else {
            keep(packet.number, payload, arrival)
        }
        while let first = waiting.first,
            waiting.count > mostWaiting || waitingByteCount > Self.mostWaitingBytes
                || arrival - first.arrival > Self.patience
        {
            skip(into: &batch)
        }
    }

    /// Begins with a packet whose number has nothing to do with those before it.
    private mutating func begin(_ packet: RTPPacket, _ batch: inout DatagramBatch) {
        while !waiting.isEmpty { skip(into: &batch) }
        (source, next) = (packet.source, packet.number)
    }

    private mutating func keep(_ number: UInt16, _ payload: RawSpan, _ arrival: Int64) {
        let distance = number &- next
        let place = waiting.firstIndex { $0.number &- next >= distance } ?? waiting.endIndex
        if place < waiting.endIndex {
            if waiting[place].number == number { return counts.behind += 1 }
            counts.reordered += 1
        }
        waitingByteCount += payload.byteCount
        waiting.insert(Waiting(number: number, payload: payload.array, arrival: arrival), at: place)
    }

    /// Continues with the first packet that waits, without those that are missing before it.
    private mutating func skip(into batch: inout DatagramBatch) {
        guard let first = waiting.first else { return }
        counts.lost += Int(first.number &- next)
        next = first.number
        release(into: &batch)
    }

    /// Passes on those whose turn has come.
    private mutating func release(into batch: inout DatagramBatch) {
        var count = 0
        while count < waiting.count, waiting[count].number == next {
            let payload = waiting[count].payload
            batch.append(unsafe payload.span.bytes, at: waiting[count].arrival)
            waitingByteCount -= payload.count
            next &+= 1
            count += 1
        }
        if count > 0 { waiting.removeFirst(count) }
    }
}

/// The header of an RTP packet (RFC 3550 § 5.1).
struct RTPPacket {
    var payloadType: UInt8
    var number: UInt16
    /// The synchronisation source.
    var source: UInt32
    /// The place of the payload, without padding.
    var payload: Range<Int>

    private static let headerByteCount = 12

    /// Reads a packet; nil if it is not of version 2, is one of RTCP on the same port (RFC 5761 § 4), or has no
    /// payload.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount > Self.headerByteCount else { return nil }
        let flags = bytes.byte(0)
        guard flags >> 6 == 2, !(192...223).contains(bytes.byte(1)) else { return nil }
        payloadType = bytes.byte(1) & 0x7F
        number = UInt16(bytes.byte(2)) << 8 | UInt16(bytes.byte(3))
        source = 0
        for offset in 8..<Self.headerByteCount { source = source << 8 | UInt32(bytes.byte(offset)) }
        var start = Self.headerByteCount + 4 * Int(flags & 0x0F)
        if flags & 0x10 != 0 {
            // A header extension, whose length in words is in its second half (§ 5.3.1).
            guard bytes.byteCount >= start + 4 else { return nil }
            start += 4 + 4 * (Int(bytes.byte(start + 2)) << 8 | Int(bytes.byte(start + 3)))
        }
        let end = bytes.byteCount - (flags & 0x20 == 0 ? 0 : Int(bytes.byte(bytes.byteCount - 1)))
        guard start < end else { return nil }
        payload = start..<end
    }
}
