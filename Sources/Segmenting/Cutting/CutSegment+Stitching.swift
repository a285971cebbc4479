import Codecs
import ISOBMFF
import MediaCore

/// The end of a track's newest segment, to the unit of its timescale.
struct SegmentEnd: Hashable, Sendable {
    var boundary: Boundary
    /// The decode time of the segment that follows.
    var units: Int64
    var timescale: Int64
    /// True if it is only the announced end of a gap or of its filler.
    var isGap = false

    /// Makes an end of a point in media time, if no segment gives the end more precisely.
    init(_ boundary: Boundary, timescale: Int64 = MediaTime.timescale) {
        self.boundary = boundary
        units = boundary.media.value(timescale: timescale)
        self.timescale = timescale
    }

    init(of cut: CutSegment) {
        boundary = cut.end
        units = cut.decodeTime + cut.duration
        timescale = cut.timescale
        isGap = cut.isGap || cut.filler != nil
    }

    /// Moves the end of a gap to the same UTC on a clock that was slewed during the gap.
    ///
    /// Media timestamps of renditions that share a clock match (RFC 8216bis § 6.2.4), so a rendition that comes back
    /// continues at the timestamps of the others. Viewers cannot see a jump in a gap.
    ///
    /// - Parameters:
    ///   - utcOffset: UTC minus media time of the segment that follows.
    ///   - mediaEnd: The end of media; nil if it is not known, and nothing is moved.
    mutating func moveGap(to utcOffset: MediaTime, after mediaEnd: MediaTime?) {
        guard isGap, boundary.isAstray(from: utcOffset), let mediaEnd else { return }
        let moved = Boundary(media: boundary.utc - utcOffset, utcOffset: utcOffset)
        guard mediaEnd < min(moved.media, boundary.media) else { return }
        self = SegmentEnd(moved, timescale: timescale)
        isGap = true
    }
}

/// Segments of different sources, end to end on one media timeline.
extension CutSegment {
    /// Returns the segment moved by a time on the media timeline; UTC stays.
    func shifted(by shift: MediaTime) -> CutSegment {
        guard shift != .zero else { return self }
        var cut = self
        cut.start.media += shift
        cut.end.media += shift
        cut.decodeTime += shift.value(timescale: timescale)
        cut.cues = cues?.map { Cue(start: $0.start + shift, end: $0.end.map { $0 + shift }, payload: $0.payload) }
        return cut
    }

    /// Returns the segment without the pictures that need others from before it, which were not shown.
    func withoutSkippedLeading() -> CutSegment {
        var cut = self
        for index in skippedLeading.reversed() {
            // Their time goes to the picture decoded before them.
            cut.samples[index - 1].duration += cut.samples.remove(at: index).duration
        }
        cut.skippedLeading = []
        return cut
    }

    /// Returns the segment with a first picture after which no decoder counts on from those before.
    ///
    /// A clean random access picture of HEVC is none in the middle of a sequence (ISO/IEC 23008-2 § 8.1.3).
    func withBrokenLink() -> CutSegment {
        guard case .hevc? = configuration, let first = samples.first, first.isSync else { return self }
        var cut = self
        cut.samples[0] = FragmentSample(
            duration: first.duration,
            compositionOffset: first.compositionOffset,
            isSync: true,
            payload: first.payload.withBrokenLinks,
            subsamples: first.subsamples
        )
        return cut
    }

    /// Returns the same media, beginning where the segment before ended.
    ///
    /// A missing picture is replaced by the first one, shown from the boundary on, and missing audio by silence.
    /// Overlapping pictures are decoded in no time, and overlapping audio is left out. On a common clock sources are
    /// cut alike, and nothing changes.
    ///
    /// - Parameters:
    ///   - before: The end of the segment before.
    ///   - longest: The longest duration of a segment.
    ///   - slot: The slot that it continues, so that its pictures are shown in their own time; nil if it begins one.
    /// - Returns: The segment that begins there.
    func following(_ before: SegmentEnd, longest: MediaTime, in slot: OpenSlot? = nil) -> CutSegment {
        let begin = MediaTime.rescale(before.units, from: before.timescale, to: timescale)
        guard begin != decodeTime else { return self }
        // After a gap, audio is not moved by less than a frame: its times are those without the gap.
        if before.isGap, configuration?.kind == .audio, abs(begin - decodeTime) < frameLength { return self }
        var cut = self
        let finish = decodeTime + duration
        let most = longest.value(timescale: timescale)
        switch configuration?.kind {
        case .audio?: cut.beginAudio(at: begin)
        case .video?:
            let latest = max(min(finish, begin + most), begin + Int64(samples.count))
            cut.beginVideo(at: begin, finish: latest, in: slot)
        case .text?, nil: cut.duration = max(min(finish - begin, most), 1)
        }
        cut.decodeTime = begin
        cut.start = before.boundary
        let media = MediaTime(begin + cut.duration, timescale: timescale)
        cut.end = Boundary(media: media, utcOffset: end.utc - end.media, after: before.boundary)
        return cut
    }

    /// Returns the same pictures, none of which lasts beyond a point on the media timeline.
    func ending(by latest: MediaTime) -> CutSegment {
        let most = latest.value(timescale: timescale)
        guard configuration?.kind == .video, most < decodeTime + duration else { return self }
        let finish = max(most, decodeTime + Int64(samples.count))
        var cut = self
        let times = times
        var decode = times.decode
        for (offset, index) in decode.indices.reversed().enumerated() {
            decode[index] = min(decode[index], finish - Int64(offset) - 1)
        }
        cut.retime(decode: decode, presentation: times.presentation, finish: finish)
        let media = MediaTime(finish, timescale: timescale)
        cut.end = Boundary(media: media, utcOffset: end.utc - end.media, after: start)
        return cut
    }

    /// The length of the usual frame, in PCM samples.
    private var frameLength: Int64 { Int64(configuration?.audio?.samplesPerFrame ?? 0) }

    /// The decode and presentation times of its samples.
    private var times: (decode: [Int64], presentation: [Int64]) {
        var decode: [Int64] = []
        var presentation: [Int64] = []
        var time = decodeTime
        for sample in samples {
            presentation.append(time + Int64(sample.compositionOffset))
            decode.append(time)
            time += Int64(sample.duration)
        }
        return (decode, presentation)
    }

    private mutating func retime(decode: [Int64], presentation: [Int64], finish: Int64) {
        for index in samples.indices {
            let next = index + 1 < decode.count ? decode[index + 1] : finish
            samples[index] = FragmentSample(
                duration: UInt32(clamping: next - decode[index]),
                compositionOffset: Int32(clamping: presentation[index] - decode[index]),
                isSync: samples[index].isSync,
                payload: samples[index].payload,
                subsamples: samples[index].subsamples
            )
        }
        duration = finish - (decode.first ?? finish)
    }

    private mutating func beginVideo(at begin: Int64, finish: Int64, in slot: OpenSlot?) {
        var (decode, presentation) = times
        if let slot {
            // Those that belong before the slot are shown a tick after each other.
            let first = slot.startUnits(in: timescale) + Int64(slot.sampleCount)
            for index in presentation.indices { presentation[index] = max(presentation[index], first + Int64(index)) }
        } else {
            Self.movePictures(&presentation, isLate: decode[0] > begin, to: begin)
        }
        decode[0] = min(decode[0], begin)
        for index in decode.indices {
            let last = decode.count - 1
            let earliest = index == 0 ? begin : decode[index - 1] + 1
            decode[index] = max(earliest, min(decode[index], finish - Int64(last - index) - 1))
        }
        retime(decode: decode, presentation: presentation, finish: finish)
    }

    /// Shows the first picture from the boundary on, and none before it.
    private static func movePictures(_ presentation: inout [Int64], isLate: Bool, to begin: Int64) {
        presentation[0] = isLate ? begin : min(presentation[0], begin)
        // Pictures before the boundary keep their order, a tick each.
        let early = presentation.indices.filter { presentation[$0] < begin + Int64(presentation.count) }
        for (rank, index) in early.sorted(by: { presentation[$0] < presentation[$1] }).enumerated() {
            presentation[index] = max(presentation[index], begin + Int64(rank))
        }
    }

    private mutating func beginAudio(at begin: Int64) {
        let frame = max(frameLength, 1)
        var missing = decodeTime - begin
        while missing <= -frame / 2, samples.count > 1 {
            missing += Int64(samples.removeFirst().duration)
        }
        if missing >= frame, let silence = configuration.flatMap(AudioSilence.frame) {
            let count = missing / frame
            samples.insert(
                contentsOf: (0..<count).map { _ in
                    FragmentSample(duration: UInt32(frame), isSync: true, payload: silence)
                },
                at: 0
            )
            missing -= count * frame
        }
        // The first frame absorbs less than a frame, and plays that much early or late.
        if !samples.isEmpty { samples[0].duration = UInt32(clamping: max(Int64(samples[0].duration) + missing, 1)) }
        duration = samples.reduce(0) { $0 + Int64($1.duration) }
    }
}
