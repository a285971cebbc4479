import ISOBMFF
import MediaCore

/// The samples of one track that a clip needs, and the edits that show them.
struct ClipCut {
    private let track: ClipTrack
    private let pieces: [Range<MediaTime>]
    /// Indices of samples; those that follow each other in the file, without overlap.
    let intervals: [ClosedRange<Int>]
    /// The index of the interval of each piece; nil if it has no media.
    private let intervalOfPiece: [Int?]

    /// Audio decoders need up to 80 ms of audio before the first that sounds right (RFC 7845 § 4.6 of Opus; AAC needs
    /// a frame).
    private static let warmUp = MediaTime(milliseconds: 80)

    init(_ track: ClipTrack, pieces: [Range<MediaTime>]) {
        (self.track, self.pieces) = (track, pieces)
        var intervals: [ClosedRange<Int>] = []
        intervalOfPiece = pieces.map { piece in
            guard let found = track.interval(piece, warmUp: Self.warmUp) else { return nil }
            // The pieces may share a group of pictures.
            if let last = intervals.last, found.lowerBound <= last.upperBound + 1 {
                intervals[intervals.count - 1] =
                    min(last.lowerBound, found.lowerBound)...max(last.upperBound, found.upperBound)
            } else {
                intervals.append(found)
            }
            return intervals.count - 1
        }
        self.intervals = intervals
    }

    /// The copies of its samples.
    ///
    /// - Parameter rendition: The index of the rendition.
    /// - Returns: For each run of samples of one segment the time of the first, the step, and the index of its entry.
    func steps(rendition: Int) -> [(start: MediaTime, step: ClipPlan.Step, entry: Int)] {
        track.segments.flatMap { segment in
            intervals.compactMap { interval -> (start: MediaTime, step: ClipPlan.Step, entry: Int)? in
                let kept = segment.samples.clamped(to: interval.lowerBound..<interval.upperBound + 1)
                guard !kept.isEmpty else { return nil }
                let samples = kept.map { Int(track.samples[$0].index) }
                return (
                    MediaTime(track.samples[kept.lowerBound].decodeTime, timescale: track.timescale),
                    ClipPlan.Step(rendition: rendition, source: segment.source, samples: samples), segment.entry
                )
            }
        }
    }

    /// The track in the file.
    var movieTrack: ProgressiveMovie.Track {
        let kept = intervals.flatMap { track.samples[$0] }
        // Tables without negative offsets are read by all; the edits take the difference back.
        let delay = max(0, -(kept.map { $0.presentationTime - $0.decodeTime }.min() ?? 0))
        return ProgressiveMovie.Track(
            kind: track.kind,
            timescale: UInt32(clamping: track.timescale),
            language: track.language,
            placement: track.placement,
            entries: track.entries,
            samples: kept.map { sample in
                ProgressiveMovie.Sample(
                    duration: sample.duration,
                    compositionOffset: UInt32(clamping: sample.presentationTime - sample.decodeTime + delay),
                    size: sample.size,
                    isSync: sample.isSync
                )
            },
            edits: edits(delay: delay)
        )
    }

    private func edits(delay: Int64) -> [ProgressiveMovie.Edit] {
        // The media time of each interval's first sample.
        var starts: [Int64] = []
        var end: Int64 = 0
        for interval in intervals {
            starts.append(end)
            end += track.samples[interval].reduce(0) { $0 + Int64($1.duration) }
        }
        var edits: [ProgressiveMovie.Edit] = []
        for (piece, index) in zip(pieces, intervalOfPiece) {
            guard let index else {
                edits.append(.init(duration: piece.length, mediaTime: nil))
                continue
            }
            let first = track.samples[intervals[index].lowerBound]
            let shown = track.shown(piece, in: intervals[index])
            let (before, after) = (shown.lowerBound - piece.lowerBound, piece.upperBound - shown.upperBound)
            if before > .zero { edits.append(.init(duration: UInt64(before.ticks), mediaTime: nil)) }
            let offset = shown.lowerBound.value(timescale: track.timescale) - first.decodeTime + delay
            edits.append(.init(duration: shown.length, mediaTime: UInt64(max(0, starts[index] + offset))))
            if after > .zero { edits.append(.init(duration: UInt64(after.ticks), mediaTime: nil)) }
        }
        // An empty edit at the end has no effect.
        while let last = edits.last, last.mediaTime == nil { edits.removeLast() }
        return edits
    }
}

extension ClipTrack {
    /// The samples that have to be decoded for a piece; nil if it has no media.
    fileprivate func interval(_ piece: Range<MediaTime>, warmUp: MediaTime) -> ClosedRange<Int>? {
        let (lower, upper) = (ticks(piece.lowerBound), ticks(piece.upperBound))
        guard let last = samples.lastIndex(where: { $0.presentationTime < upper }) else { return nil }
        let first: Int?
        switch kind {
        case .video:
            first =
                samples.lastIndex { $0.isSync && $0.presentationTime <= lower }
                ?? samples.firstIndex { $0.isSync && $0.presentationTime > lower }
        case .audio, .text:
            let warm = ticks(piece.lowerBound - warmUp)
            first =
                samples.lastIndex { $0.decodeTime <= warm }
                ?? samples.firstIndex { $0.decodeTime + Int64($0.duration) > lower }
        }
        guard let first, first <= last,
            samples[first...last].contains(where: { $0.presentationTime + Int64($0.duration) > lower })
        else { return nil }
        return first...last
    }

    /// The part of a piece that samples of an interval are presented in.
    fileprivate func shown(_ piece: Range<MediaTime>, in interval: ClosedRange<Int>) -> Range<MediaTime> {
        let first = MediaTime(samples[interval.lowerBound].presentationTime, timescale: timescale)
        let end = samples[interval].lazy.map { $0.presentationTime + Int64($0.duration) }.max() ?? 0
        let lower = min(max(piece.lowerBound, first), piece.upperBound)
        return lower..<max(lower, min(piece.upperBound, MediaTime(end, timescale: timescale)))
    }

    private func ticks(_ time: MediaTime) -> Int64 { time.value(timescale: timescale) }
}

extension Range<MediaTime> {
    /// Ticks.
    fileprivate var length: UInt64 { UInt64(clamping: (upperBound - lowerBound).ticks) }
}
