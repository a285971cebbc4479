import MediaCore

/// Packets that wait until their tracks are known.
struct HeldPackets {
    /// A second of any track: audio and video are not further apart in a feed.
    static let mostTicks = MediaTime.timescale
    /// The most bytes that are held, more than a second at 100 Mbit/s.
    static let mostBytes = 16 << 20

    private let modulus: Int64?
    private var packets: [(info: PacketInfo, bytes: [UInt8])] = []
    private var byteCount = 0
    /// The first decode timestamp of each track, by index.
    private var starts: [InputTrackIndex: Int64] = [:]
    /// True if packets were held for long enough.
    private(set) var isFull = false

    init(modulus: Int64?) {
        self.modulus = modulus
    }

    mutating func append(_ info: PacketInfo, _ payload: RawSpan) {
        packets.append((info, payload.array))
        // Packets without a byte or a timestamp count as well.
        byteCount += payload.byteCount + 256
        if byteCount > Self.mostBytes { isFull = true }
        guard let timestamp = info.decodeTimestamp else { return }
        let start = starts[info.trackIndex] ?? timestamp
        starts[info.trackIndex] = start
        let span = Timestamps.distance(from: start, to: timestamp, modulus: modulus)
        if span.magnitude > Self.mostTicks.magnitude { isFull = true }
    }

    func forEach(_ body: (PacketInfo, RawSpan) -> Void) {
        for packet in packets { body(packet.info, unsafe packet.bytes.span.bytes) }
    }

    func forEach(of track: InputTrackIndex, _ body: (RawSpan) -> Void) {
        for packet in packets where packet.info.trackIndex == track { body(unsafe packet.bytes.span.bytes) }
    }
}
