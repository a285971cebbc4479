import MediaCore

/// Times the AAC frames of a PES packet, which states a timestamp for the first of them only.
///
/// See ISO/IEC 13818-1 § 2.4.3.7. Each further frame begins where the one before it ends; the fraction of a tick is
/// carried on, not rounded away.
struct FrameClock: Hashable, Sendable {
    private var anchor: Int64?
    /// PCM samples since the anchor.
    private var samples: Int64 = 0

    /// A frame was read; its missing timestamps and duration are filled in.
    ///
    /// - Parameters:
    ///   - packet: Unchanged where there is no ADTS header, or no timestamp came before it.
    ///   - payload: The frame with its ADTS header.
    ///   - modulus: Where timestamps wrap, in 90 kHz ticks; nil if never.
    mutating func packetRead(_ packet: inout PacketInfo, payload: RawSpan, modulus: Int64?) {
        guard let frame = ADTSFrame(payload) else { return }
        if let stated = packet.presentationTimestamp ?? packet.decodeTimestamp {
            anchor = stated
            samples = 0
        }
        guard let anchor else { return }
        let start = MediaTime.rescale(samples, from: frame.sampleRate, to: MediaTime.timescale)
        samples += frame.samples
        let end = MediaTime.rescale(samples, from: frame.sampleRate, to: MediaTime.timescale)
        let timestamp = Timestamps.reduce(anchor &+ start, modulus: modulus)
        packet.presentationTimestamp = packet.presentationTimestamp ?? timestamp
        packet.decodeTimestamp = packet.decodeTimestamp ?? timestamp
        packet.duration = end - start
    }
}

/// What an ADTS header says of a frame's length in time (ISO/IEC 14496-3 § 1.A.3.2).
struct ADTSFrame: Hashable, Sendable {
    /// Hz of the core decoder.
    var sampleRate: Int64
    /// PCM samples of the core decoder.
    var samples: Int64

    private static let sampleRates: [Int64] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// Nil if there is no such header.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= 7 else { return nil }
        func byte(_ offset: Int) -> Int { unsafe Int(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
        // syncword of 12 ones, ID, layer of two zeros.
        guard byte(0) == 0xFF, byte(1) & 0xF6 == 0xF0 else { return nil }
        let index = byte(2) >> 2 & 0xF
        guard Self.sampleRates.indices.contains(index) else { return nil }
        sampleRate = Self.sampleRates[index]
        // number_of_raw_data_blocks_in_frame counts from 0.
        samples = Int64((byte(6) & 3) + 1) * Int64(AACConfiguration.samplesPerFrame)
    }
}
