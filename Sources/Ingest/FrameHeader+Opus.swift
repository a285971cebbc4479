/// An Opus access unit in a transport stream: a control header and a packet (ETSI TS 103 491 § 4.4.2; RFC 6716 § 3).
extension FrameHeader {
    /// Of an access unit that libopus can make, of 255 streams; more is damage.
    static let mostOpusBytes = 1 << 16

    /// Nil if there is no whole control header with the beginning of its packet.
    init?(opus bytes: RawSpan) {
        guard let (prefix, size) = Self.opusControlHeader(bytes), size > 0, size <= Self.mostOpusBytes - prefix,
            let samples = Self.opusSamples(bytes.extracting(droppingFirst: prefix))
        else { return nil }
        self.init(sampleRate: 48_000, samples: samples, byteCount: prefix + size, prefixByteCount: prefix)
    }

    /// Whether the control header, or the first two bytes of the packet, go on behind the end.
    static func isCutOpusHeader(_ bytes: RawSpan) -> Bool {
        guard let (prefix, _) = opusControlHeader(bytes) else { return bytes.byteCount < 600 }
        return bytes.byteCount < prefix + 2
    }

    /// The lengths of the control header and of the packet behind it.
    private static func opusControlHeader(_ bytes: RawSpan) -> (prefix: Int, size: Int)? {
        guard bytes.byteCount >= 2, bytes.byte(0) == 0x7F, bytes.byte(1) & 0xE0 == 0xE0 else { return nil }
        let flags = bytes.byte(1)
        var (offset, size) = (2, 0)
        // au_size is the sum of its bytes, the last of which is not 255.
        repeat {
            guard offset < bytes.byteCount, size < mostOpusBytes else { return nil }
            size += Int(bytes.byte(offset))
            offset += 1
        } while bytes.byte(offset - 1) == 0xFF
        // start_trim_flag, end_trim_flag: 16 bits each.
        offset += Int(flags >> 4 & 1) * 2 + Int(flags >> 3 & 1) * 2
        if flags >> 2 & 1 != 0 {
            guard offset < bytes.byteCount else { return nil }
            offset += 1 + Int(bytes.byte(offset))
        }
        return offset <= bytes.byteCount ? (offset, size) : nil
    }

    /// PCM samples at 48 kHz by the packet's table of contents (RFC 6716 § 3.1 and § 3.2).
    private static func opusSamples(_ packet: RawSpan) -> Int64? {
        guard packet.byteCount > 0 else { return nil }
        let contents = packet.byte(0)
        let samplesPerFrame: Int64 =
            switch contents >> 3 {
            case 0..<12: [480, 960, 1920, 2880][Int(contents >> 3 & 3)]
            case 12..<16: [480, 960][Int(contents >> 3 & 1)]
            default: [120, 240, 480, 960][Int(contents >> 3 & 3)]
            }
        switch contents & 3 {
        case 0: return samplesPerFrame
        case 1, 2: return samplesPerFrame * 2
        default:
            guard packet.byteCount > 1 else { return nil }
            // § 3.2.5: no more than 120 ms.
            let samples = samplesPerFrame * Int64(packet.byte(1) & 0x3F)
            return 1...5760 ~= samples ? samples : nil
        }
    }
}
