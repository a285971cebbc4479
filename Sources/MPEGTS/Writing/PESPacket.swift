import MediaCore
import NIOCore

/// A PES packet of one or more access units, or of a part of one, and how it is spread over transport packets
/// (ISO/IEC 13818-1 § 2.4.3.6).
struct PESPacket {
    /// Which of the program's.
    var stream: Int
    var kind: ElementaryStream.Kind
    /// Of the stream.
    var units: Range<Int>
    /// Bytes of the first unit that the packet before carries.
    var offset = 0
    var payloadByteCount: Int
    /// Ticks of 90 kHz.
    var decodeTime: Int64
    var presentationTime: Int64
    var isRandomAccess: Bool
    /// Whether its first transport packet carries the clock.
    var carriesClock: Bool
    /// Stuffing bytes of the header.
    private(set) var stuffingByteCount = 0
    private(set) var packetCount = 0

    init(
        _ unit: TransportAccessUnit,
        at index: Int,
        of kind: ElementaryStream.Kind,
        stream: Int,
        carriesClock: Bool
    ) {
        self.stream = stream
        self.kind = kind
        units = index..<(index + 1)
        payloadByteCount = unit.byteCount
        decodeTime = unit.decodeTime
        presentationTime = unit.presentationTime
        isRandomAccess = unit.isRandomAccess
        self.carriesClock = carriesClock
    }

    /// Before the payload in the first transport packet.
    var adaptationFieldByteCount: Int {
        carriesClock ? TransportPacket.clockByteCount : isRandomAccess ? TransportPacket.flagsByteCount : 0
    }

    /// Of header and payload.
    var byteCount: Int { headerByteCount + payloadByteCount }

    private var isContinuation: Bool { offset > 0 }
    private var hasDecodeTime: Bool { decodeTime != presentationTime }
    private var timestampsByteCount: Int { isContinuation ? 0 : hasDecodeTime ? 10 : 5 }
    private var headerByteCount: Int { 9 + timestampsByteCount + stuffingByteCount }

    static let maximumHeaderByteCount = 9 + 10 + maximumStuffingByteCount
    private static let maximumStuffingByteCount = 32
    /// What PES_packet_length can count behind any header.
    static let maximumCountedPayload = 0xFFFF - maximumHeaderByteCount + 6

    /// Counts the transport packets that it needs, and takes more.
    ///
    /// - Parameter additional: 15 or fewer, for which the header grows if there are not that many bytes.
    mutating func spread(additional: Int = 0) {
        let rest = max(0, byteCount + adaptationFieldByteCount - TransportPacket.maximumPayload)
        packetCount = 1 + (rest + TransportPacket.maximumPayload - 1) / TransportPacket.maximumPayload + additional
        stuffingByteCount = max(0, packetCount - byteCount)
    }

    /// Whether its header stays in one transport packet if there are so many more.
    func canSpare(_ additional: Int) -> Bool { payloadByteCount >= packetCount + additional }

    /// Writes what is before the payload.
    func encodeHeader(into span: inout OutputRawSpan) {
        let length = byteCount - 6
        span.writeUInt24(0x000001)
        span.writeInteger(kind.streamID)
        // § 2.4.3.7: 0 is "until the next one starts", which only video may say.
        span.writeInteger(length <= 0xFFFF ? UInt16(length) : 0)
        // data_alignment_indicator: an access unit starts here.
        span.writeInteger((isContinuation ? 0x80 : 0x84) as UInt8)
        span.writeInteger((isContinuation ? 0x00 : hasDecodeTime ? 0xC0 : 0x80) as UInt8)
        span.writeInteger(UInt8(timestampsByteCount + stuffingByteCount))
        if !isContinuation {
            span.writeTimestamp(presentationTime, marker: hasDecodeTime ? 3 : 2)
            if hasDecodeTime { span.writeTimestamp(decodeTime, marker: 1) }
        }
        span.append(repeating: 0xFF, count: stuffingByteCount, as: UInt8.self)
    }
}

extension OutputRawSpan {
    /// 33 bits of a time in three pieces, each before a marker bit.
    fileprivate mutating func writeTimestamp(_ time: Int64, marker: UInt8) {
        writeInteger(marker << 4 | UInt8(truncatingIfNeeded: time >> 29) & 0x0E | 1)
        writeInteger(UInt16(truncatingIfNeeded: time >> 14) | 1)
        writeInteger(UInt16(truncatingIfNeeded: time << 1) | 1)
    }
}
