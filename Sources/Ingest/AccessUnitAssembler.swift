import MediaCore

/// Makes packets that begin with an access unit of H.264 or HEVC of PES packets that do not.
///
/// A PES packet normally begins with an access unit (ETSI TS 101 154 § 4.1.6), and is then passed on as it is, at
/// once. ISO/IEC 13818-1 allows others: one that begins within an access unit, and one without a timestamp, which the
/// access units in it are to be given by counting from the one before. Both are continuations of the packet before.
/// From the first such packet on each is held until the next one begins: nothing else tells that it is whole. The
/// packet before that first one is gone already, and its access unit stays cut short. Damaged packets are passed on as
/// they are until then.
struct AccessUnitAssembler {
    private let isHEVC: Bool
    private var holds = false
    private var held: (info: PacketInfo, bytes: [UInt8])?

    /// More than an access unit of level 5.2 can have (ISO/IEC 14496-10 § A.3.1: 36 864 macroblocks of 384 bytes at a
    /// compression of 2), and as much for HEVC: what grows beyond it has lost its way.
    static let mostBytes = 8 << 20

    init(isHEVC: Bool = false) {
        self.isHEVC = isHEVC
    }

    /// A PES packet came.
    ///
    /// - Parameters:
    ///   - info: Its timestamps are those of the first access unit that begins in it (ISO/IEC 13818-1 § 2.4.3.7).
    ///   - payload: Bytes with start codes.
    /// - Returns: What is known to be whole by now.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
        let isTimed = info.presentationTimestamp != nil || info.decodeTimestamp != nil
        let start = isTimed ? accessUnitStart(in: payload) : payload.byteCount
        if start > 0 {
            // Damage makes any packet look so, and is no habit of the feed.
            if !info.isCorrupt { holds = true }
            append(payload.extracting(first: start), isCorrupt: info.isCorrupt)
        }
        guard holds else { return AssembledPayload(whole: 0..<payload.byteCount) }
        guard start < payload.byteCount else { return AssembledPayload(whole: 0..<0) }
        defer { held = (info, payload.extracting(droppingFirst: start).array) }
        return AssembledPayload(joined: held, whole: 0..<0)
    }

    /// Nothing follows: what is held is whole.
    mutating func finish() -> (info: PacketInfo, bytes: [UInt8])? {
        defer { held = nil }
        return held
    }

    private mutating func append(_ bytes: RawSpan, isCorrupt: Bool) {
        guard let count = held?.bytes.count, count + bytes.byteCount <= Self.mostBytes else { return }
        held?.bytes += bytes.array
        if isCorrupt { held?.info.isCorrupt = true }
    }

    /// Where the first access unit begins that does so in `payload`; the count of bytes if none does.
    private func accessUnitStart(in payload: RawSpan) -> Int {
        // Annex B.1.1: zero bytes may stand ahead of a start code.
        var zeros = 0
        while zeros < payload.byteCount, payload.byte(zeros) == 0 { zeros += 1 }
        // Too short to tell, but stamped.
        guard payload.byteCount - zeros > 2 else { return 0 }
        let headBytes = isHEVC ? 5 : 4
        let start = (0..<max(headBytes, payload.byteCount) - headBytes).first { offset in
            payload.byte(offset) == 0 && payload.byte(offset + 1) == 0 && payload.byte(offset + 2) == 1
                && (isHEVC
                    ? Self.beginsHEVCAccessUnit(payload, offset + 3)
                    : Self.beginsAccessUnit(payload.byte(offset + 3), payload.byte(offset + 4)))
        }
        return start.map { $0 < zeros ? 0 : $0 } ?? payload.byteCount
    }

    /// Whether a NAL unit of these first bytes only comes ahead of all slices of a picture, or is the first of them
    /// (ISO/IEC 14496-10 § 7.4.1.2.3).
    private static func beginsAccessUnit(_ header: UInt8, _ next: UInt8) -> Bool {
        switch header & 0x1F {
        case 6...9, 14...18: true
        // first_mb_in_slice is 0, in ue(v) a single 1.
        case 1, 2, 5: next & 0x80 != 0
        default: false
        }
    }

    /// The same for HEVC (ITU-T H.265 § 7.4.2.4.4), of the NAL unit of three bytes or more at `offset`.
    private static func beginsHEVCAccessUnit(_ payload: RawSpan, _ offset: Int) -> Bool {
        let (first, second) = (payload.byte(offset), payload.byte(offset + 1))
        // nuh_layer_id: other layers belong to the picture of layer 0.
        guard first & 1 == 0, second & 0xF8 == 0 else { return false }
        return switch first >> 1 & 0x3F {
        // first_slice_segment_in_pic_flag.
        case 0...31: payload.byte(offset + 2) & 0x80 != 0
        // Parameter sets, delimiter, prefix SEI, and what is reserved or unspecified for that place.
        case 32...35, 39, 41...44, 48...55: true
        default: false
        }
    }
}
