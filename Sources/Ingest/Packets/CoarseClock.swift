import Codecs
import MediaCore

/// Times audio frames by their samples if the container counts in milliseconds, as FLV and Matroska do.
///
/// Each frame begins at the end of the one before it, to a fraction of a tick, as long as that agrees with the
/// container: never earlier, and at most two of its units later. So durations are exact, and a clock that runs fast or
/// slow is followed. The same frames get the same times wherever reading began, after a full cycle of rounding. A frame
/// that is further away than half a frame begins anew, since something is missing.
struct CoarseClock: Hashable, Sendable {
    /// The format of frames that are all of one length, as the codec header says; nil if each says its own.
    private let format: AudioFormat?
    private let syntax: AudioFrameSyntax?
    /// 90 kHz ticks.
    private let tolerance: Int64
    /// The time at which the next frame begins; nil if only the container knows it.
    private var next: Time?

    /// Ticks of 90 kHz, and parts of one: as many make a tick as there are samples in a second.
    private struct Time: Hashable {
        var ticks: Int64
        var parts: Int64 = 0
    }

    /// Fails if timestamps are exact enough, or if frames do not carry their duration.
    init?(_ track: InputTrack, unit: TimestampUnit) {
        guard unit.isCoarse, let ticks = unit.ticks(2) else { return nil }
        tolerance = ticks
        switch track.codec {
        case .aac:
            guard let format = (try? track.audioFrameReader())??.codecConfiguration?.audio else { return nil }
            (self.format, syntax) = (format, nil)
        case .mp2, .mp3, .ac3, .eac3: (format, syntax) = (nil, AudioFrameSyntax(track.codec))
        case .h264, .hevc, .av1, .opus, .flac, .alac, .text, .unsupported: return nil
        }
    }

    /// Makes the timestamps and duration of a packet of whole frames exact.
    ///
    /// - Parameters:
    ///   - packet: The packet, which is not changed if it has no timestamp, or is not audio.
    ///   - payload: One or more frames.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    mutating func packetRead(_ packet: inout PacketInfo, payload: RawSpan, modulus: Int64?) {
        guard let stated = packet.decodeTimestamp ?? packet.presentationTimestamp,
            let (samples, rate) = length(of: payload), samples > 0, rate > 0
        else { return next = nil }
        let duration = samples * MediaTime.timescale
        let start = start(stated, halfFrame: duration / rate / 2, modulus)
        let shift = start.ticks - stated + (start.parts * 2 >= rate ? 1 : 0)
        packet.decodeTimestamp = packet.decodeTimestamp.map { Timestamps.reduce($0 &+ shift, modulus: modulus) }
        packet.presentationTimestamp = packet.presentationTimestamp.map {
            Timestamps.reduce($0 &+ shift, modulus: modulus)
        }
        packet.duration = (duration + rate / 2) / rate
        let parts = start.parts + duration
        next = Time(ticks: start.ticks &+ parts / rate, parts: parts % rate)
    }

    /// Returns the start of a frame that the container puts at `stated`, within a frame of that.
    private func start(_ stated: Int64, halfFrame: Int64, _ modulus: Int64?) -> Time {
        guard let next else { return Time(ticks: stated) }
        let lead = Timestamps.distance(from: stated, to: next.ticks, modulus: modulus)
        if lead < 0 || lead > max(tolerance, halfFrame) { return Time(ticks: stated) }
        return lead >= tolerance ? Time(ticks: stated &+ tolerance) : Time(ticks: stated &+ lead, parts: next.parts)
    }

    /// Samples of the frames of a packet, and their rate.
    private func length(of payload: RawSpan) -> (samples: Int64, rate: Int64)? {
        if let format { return (Int64(format.samplesPerFrame), Int64(format.sampleRate)) }
        guard let first = syntax?.wholeHeader(payload) else { return nil }
        var (offset, samples) = (0, Int64(0))
        while let frame = syntax?.wholeHeader(payload.extracting(droppingFirst: offset)) {
            samples += frame.samples
            offset += frame.byteCount
        }
        return (samples, first.sampleRate)
    }
}
