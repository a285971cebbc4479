import MediaCore
import NIOCore

/// A PES packet of one or more access units, or of a part of one, and how it is spread over transport packets
/// (ISO/IEC 13818-1 § 2.4.3.6).
struct PESPacket {
    /// The index of the program's stream.
    var stream: Int
    var kind: ElementaryStream.Kind
    /// The stream's access units in it, by index.
    var units: Range<Int>
    /// Bytes of the first unit that the packet before carries.
    var offset = 0
    var payloadByteCount: Int
    /// Ticks of 90 kHz.
    var decodeTime: Int64
    var presentationTime: Int64
    var isRandomAccess: Bool
    /// True if its first transport packet carries the clock.
    var carriesClock: Bool
    /// Stuffing bytes of the header.
    private var stuffingByteCount = 0
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

    /// The bytes before the payload in the first transport packet.
    var adaptationFieldByteCount: Int {
        carriesClock ? TransportPacket.clockByteCount : isRandomAccess ? TransportPacket.flagsByteCount : 0
    }

    /// Bytes of header and payload.
    var byteCount: Int { header.byteCount + payloadByteCount }

    private var header: PESHeader {
        let times = offset > 0 ? nil : PESHeader.Times(presentation: presentationTime, decode: decodeTime)
        var header = PESHeader(streamID: kind.streamID, times: times)
        header.stuffingByteCount = stuffingByteCount
        return header
    }

    static let maximumHeaderByteCount = 9 + 10 + maximumStuffingByteCount
    private static let maximumStuffingByteCount = 32
    /// The largest payload that PES_packet_length can count behind any header.
    static let maximumCountedPayload = 0xFFFF - maximumHeaderByteCount + 6

    /// Counts the transport packets that it needs, and takes more.
    ///
    /// - Parameter additional: 15 or fewer, for which the header grows if there are not that many bytes.
    mutating func spread(additional: Int = 0) {
        let rest = max(0, byteCount + adaptationFieldByteCount - TransportPacket.maximumPayload)
        packetCount = 1 + (rest + TransportPacket.maximumPayload - 1) / TransportPacket.maximumPayload + additional
        stuffingByteCount = max(0, packetCount - byteCount)
    }

    /// Returns true if its header stays in one transport packet if there are so many more.
    func canSpare(_ additional: Int) -> Bool { payloadByteCount >= packetCount + additional }

    /// Writes the header before the payload.
    func encodeHeader(into span: inout OutputRawSpan) {
        header.encode(payloadByteCount: payloadByteCount, into: &span)
    }
}
