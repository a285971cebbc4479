import Codecs
import MediaCore

/// Times the audio frames of a PES packet, which only states a timestamp for the first.
///
/// See ISO/IEC 13818-1 § 2.4.3.7. Each further frame begins at the end of the one before it; the fraction of a tick is
/// carried on, not rounded away.
struct FrameClock: Hashable, Sendable {
    private let syntax: AudioFrameSyntax
    private var anchor: Int64?
    /// PCM samples since the anchor.
    private var samples: Int64 = 0

    init(syntax: AudioFrameSyntax = .adts) {
        self.syntax = syntax
    }

    /// Frames were read; their missing timestamps and duration are filled in.
    ///
    /// - Parameters:
    ///   - packet: The packet; unchanged if it has no header, or no timestamp came before it.
    ///   - payload: One or more frames, each with its header.
    ///   - delay: The PCM samples from the stated timestamp to the first one.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    mutating func packetRead(_ packet: inout PacketInfo, payload: RawSpan, delay: Int64 = 0, modulus: Int64?) {
        guard let first = syntax.wholeHeader(payload) else { return }
        if let stated = packet.presentationTimestamp ?? packet.decodeTimestamp {
            anchor = stated
            samples = delay
        }
        guard let anchor else { return }
        let start = MediaTime.rescale(samples, from: first.sampleRate, to: MediaTime.timescale)
        var offset = 0
        while let frame = syntax.wholeHeader(payload.extracting(droppingFirst: offset)) {
            samples += frame.samples
            offset += frame.byteCount
        }
        let end = MediaTime.rescale(samples, from: first.sampleRate, to: MediaTime.timescale)
        let timestamp = Timestamps.reduce(anchor &+ start, modulus: modulus)
        if packet.presentationTimestamp == nil || delay != 0 { packet.presentationTimestamp = timestamp }
        if packet.decodeTimestamp == nil || delay != 0 { packet.decodeTimestamp = timestamp }
        packet.duration = end - start
    }
}
