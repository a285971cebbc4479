import Codecs
import ISOBMFF
import MediaCore
import NIOCore

/// The filler of slots that no source has media for.
package enum LossFiller: Sendable {
    /// No filler: the slot is an EXT-X-GAP.
    case gap
    /// The newest key frame again, and silence.
    case hold
    /// A prepared file, and silence if it has no audio.
    case slate(Slate)

    /// Fills a gap.
    ///
    /// - Parameters:
    ///   - gap: The gap.
    ///   - track: The track that has it.
    ///   - run: The fillers of the same slot before the gap; nil if it has none.
    /// - Returns: The filled segment, from boundary to boundary; nil if there is nothing to fill it with.
    func fill(_ gap: CutSegment, of track: SegmenterTrack, after run: FillerRun? = nil) -> CutSegment? {
        switch self {
        case .gap: nil
        case .hold: hold(gap, of: track)
        case .slate(let slate): slate.fill(gap, of: track, after: run) ?? hold(gap, of: track)
        }
    }

    private func hold(_ gap: CutSegment, of track: SegmenterTrack) -> CutSegment? {
        guard let configuration = track.mediaConfiguration else { return nil }
        if let audio = configuration.audio {
            guard let silence = AudioSilence.frame(for: configuration) else { return nil }
            return gap.filled(by: .hold, configuration, timescale: Int64(audio.sampleRate)) { _ in
                FragmentSample(duration: UInt32(clamping: audio.samplesPerFrame), isSync: true, payload: silence)
            }
        }
        guard let picture = track.lastSync else { return nil }
        let payload = picture.payload.repeated(as: configuration)
        // The picture is repeated once a second: some players take one that lasts for seconds for a stall.
        return gap.filled(by: .hold, configuration, timescale: MediaTime.timescale) { _ in
            FragmentSample(
                duration: UInt32(MediaTime.timescale),
                isSync: true,
                payload: payload,
                subsamples: picture.subsamples
            )
        }
    }
}

/// The fillers of a slot that is filled in parts.
struct FillerRun: Sendable {
    /// The start of the first of them, in UTC.
    var start: MediaTime
    var sampleCount: Int
}

extension ByteBuffer {
    /// Returns a key frame in the form in which it may follow itself.
    func repeated(as configuration: CodecConfiguration) -> ByteBuffer {
        if case .hevc = configuration { withBrokenLinks } else { self }
    }

    /// An HEVC access unit whose clean random access picture is made a broken link, which begins a new sequence: shown
    /// again, or behind pictures of another encoder, it would repeat an order count (ISO/IEC 23008-2 § 8.3.1).
    var withBrokenLinks: ByteBuffer {
        var buffer = self
        var index = buffer.readerIndex
        while let length = buffer.getInteger(at: index, as: UInt32.self),
            let header = buffer.getInteger(at: index + 4, as: UInt8.self)
        {
            // CRA_NUT becomes BLA_W_RADL, whose slice header has the same syntax.
            if header >> 1 & 0x3F == 21 { buffer.setInteger(header & 0x81 | 17 << 1, at: index + 4) }
            index += 4 + Int(length)
        }
        return buffer
    }
}

extension CutSegment {
    /// Returns the gap with samples in it, one after the other from its start on; the last ends with the gap.
    ///
    /// - Parameters:
    ///   - filler: The kind of the samples.
    ///   - configuration: The decoder configuration of the samples.
    ///   - rate: Units a second of their durations.
    ///   - sample: Returns the sample that follows as many others.
    /// - Returns: The segment.
    func filled(
        by filler: Filler,
        _ configuration: CodecConfiguration?,
        timescale rate: Int64,
        sample: (Int) -> FragmentSample
    ) -> CutSegment {
        var cut = self
        cut.filler = filler
        cut.configuration = configuration
        cut.timescale = rate
        cut.decodeTime = MediaTime.rescale(decodeTime, from: timescale, to: rate)
        let finish = MediaTime.rescale(decodeTime + duration, from: timescale, to: rate)
        cut.duration = max(finish - cut.decodeTime, 1)
        var filled: Int64 = 0
        while filled < cut.duration {
            var next = sample(cut.samples.count)
            let length = max(Int64(next.duration), 1)
            let rest = cut.duration - filled
            // The last sample takes the rest if that is less than half a sample.
            next.duration = UInt32(clamping: rest * 2 < length * 3 ? rest : length)
            filled += Int64(next.duration)
            cut.samples.append(next)
        }
        return cut
    }
}
