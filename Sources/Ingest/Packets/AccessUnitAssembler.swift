import Codecs
import MediaCore

/// Turns PES packets of H.264 or HEVC into packets that each begin with an access unit.
///
/// A PES packet normally begins with an access unit (ETSI TS 101 154 § 4.1.6), and is then passed on as it is, at
/// once. ISO/IEC 13818-1 allows others: one that begins within an access unit, and one without a timestamp, which the
/// access units in it are to be given by counting from the one before. Both are continuations of the packet before.
/// From the first such packet on each is held until the next one begins: nothing else tells that it is whole. The
/// packet before that first one is gone already, and its access unit stays cut short. Damaged packets are passed on as
/// they are until then.
struct AccessUnitAssembler {
    private let codec: any AccessUnitReader.Type
    private var holds = false
    private var held: AssembledPayload.Part?

    /// The most bytes of an access unit; a longer one is damaged.
    ///
    /// Level 5.2 has no more (ISO/IEC 14496-10 § A.3.1: 36 864 macroblocks of 384 bytes at a compression of 2), and
    /// HEVC gets as much.
    static let mostBytes = 8 << 20

    /// - Parameter codec: Knows where access units begin.
    init(_ codec: any AccessUnitReader.Type) {
        self.codec = codec
    }

    /// A PES packet came.
    ///
    /// - Parameters:
    ///   - info: Its timestamps are those of the first access unit that begins in it (ISO/IEC 13818-1 § 2.4.3.7).
    ///   - payload: Bytes with start codes.
    /// - Returns: The units that are known to be whole by now.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
        let isTimed = info.presentationTimestamp != nil || info.decodeTimestamp != nil
        let start = isTimed ? codec.accessUnitStart(in: payload) ?? payload.byteCount : payload.byteCount
        if start > 0 {
            // Damage makes any packet look so, and is no habit of the feed.
            if !info.isCorrupt { holds = true }
            append(payload.extracting(first: start), isCorrupt: info.isCorrupt)
        }
        guard holds else { return AssembledPayload(whole: 0..<payload.byteCount) }
        guard start < payload.byteCount else { return AssembledPayload(whole: 0..<0) }
        defer { held = .init(info: info, bytes: payload.extracting(droppingFirst: start).array) }
        return AssembledPayload(joined: held, whole: 0..<0)
    }

    /// Ends the stream: the held access unit is complete.
    mutating func finish() -> AssembledPayload.Part? {
        defer { held = nil }
        return held
    }

    private mutating func append(_ bytes: RawSpan, isCorrupt: Bool) {
        guard let count = held?.bytes.count, count + bytes.byteCount <= Self.mostBytes else { return }
        held?.bytes += bytes.array
        if isCorrupt { held?.info.isCorrupt = true }
    }
}
