import ISOBMFF
import MediaCore

extension CutSegment {
    /// The samples that were not handed out yet; nil if there are none.
    var unemitted: CutSegment? { emitted < samples.count ? slice(emitted..<samples.count) : nil }

    /// Returns pieces that last no longer than a part may; a sample is not divided.
    ///
    /// A picture before missing ones may be too long for a part that is too short without it. Such a picture is decoded
    /// later, so that the part is full, and shown in its time.
    ///
    /// The end of a piece depends on its own samples and the next one alone. So pieces are the same whether a packager
    /// knows the samples after them or not.
    func parts(atMost longest: MediaTime) -> [CutSegment] {
        var parts: [CutSegment] = []
        var cut = self
        var piece = PartLength(atMost: longest, timescale: timescale)
        var first = 0
        for index in samples.indices {
            if piece.ends(before: cut.samples[index]) {
                if !piece.isEnough, configuration?.kind == .video { cut.delay(index, by: piece.room) }
                parts.append(cut.slice(first..<index))
                piece = PartLength(atMost: longest, timescale: timescale)
                first = index
            }
            piece.append(cut.samples[index])
        }
        return parts + [cut.slice(first..<samples.count)]
    }

    /// Decodes a sample later; all samples are shown when they were.
    ///
    /// - Parameters:
    ///   - index: The place of the sample, which is not the first one.
    ///   - time: The delay, shorter than the sample, in units of the timescale.
    private mutating func delay(_ index: Int, by time: Int64) {
        let sample = samples[index]
        samples[index - 1].duration += UInt32(clamping: time)
        samples[index] = FragmentSample(
            duration: UInt32(clamping: Int64(sample.duration) - time),
            compositionOffset: Int32(clamping: Int64(sample.compositionOffset) - time),
            isSync: sample.isSync,
            payload: sample.payload,
            subsamples: sample.subsamples
        )
    }

    /// Returns the length of its samples as one part.
    func length(ofPartsAtMost longest: MediaTime) -> PartLength {
        var piece = PartLength(atMost: longest, timescale: timescale)
        for sample in samples { piece.append(sample) }
        return piece
    }

    /// Returns the pieces of a gap that last no longer than a part may.
    func gapParts(atMost longest: MediaTime) -> [CutSegment] {
        let most = max(longest.value(timescale: timescale), 1)
        return stride(from: 0, to: duration, by: Int64.Stride(most)).map { offset in
            var part = self
            part.decodeTime += offset
            part.duration = min(most, duration - offset)
            if offset > 0 { part.start = boundary(at: part.decodeTime) }
            if offset + part.duration < duration { part.end = boundary(at: part.decodeTime + part.duration) }
            return part
        }
    }

    /// Returns the same pictures, of which the first is repeated for as long as it is shown: no sample outlasts a part.
    ///
    /// It is shown for longer where it takes the time of pictures that are missing before it.
    ///
    /// - Parameter longest: The longest duration of a part.
    /// - Returns: The same segment if the picture does not last longer, or cannot follow itself.
    func repeatingFirst(atMost longest: MediaTime) -> CutSegment {
        let most = longest.value(timescale: timescale)
        guard let configuration, configuration.kind == .video, !recoversGradually, let first = samples.first,
            first.isSync, Int64(first.duration) > most, most > 0
        else { return self }
        // A part of one repetition is long enough for media to follow it, and the last one is no mere moment.
        let least = most * 15 / 100
        var (lengths, rest) = ([Int64](), Int64(first.duration))
        while rest > most {
            lengths.append(rest - most < least ? most - least : most)
            rest -= lengths.last ?? rest
        }
        let repeated = first.payload.repeated(as: configuration)
        var cut = self
        cut.samples[0].duration = UInt32(clamping: lengths[0])
        cut.samples.insert(
            contentsOf: (lengths.dropFirst() + [rest]).map { length in
                FragmentSample(
                    duration: UInt32(clamping: length),
                    compositionOffset: first.compositionOffset,
                    isSync: true,
                    payload: repeated,
                    subsamples: first.subsamples
                )
            },
            at: 1
        )
        cut.skippedLeading = skippedLeading.map { $0 + lengths.count }
        return cut
    }

    /// Appends the segment that follows.
    mutating func append(_ other: CutSegment) {
        samples += other.samples
        duration += other.duration
        coverage += other.coverage
        end = other.end
        reorderingAtEnd = other.reorderingAtEnd
    }

    /// Returns a segment of some of its samples.
    func slice(_ range: Range<Int>) -> CutSegment {
        if range == samples.indices { return self }
        var slice = self
        slice.samples = Array(samples[range])
        slice.decodeTime += samples[..<range.lowerBound].reduce(0) { $0 + Int64($1.duration) }
        slice.duration = slice.samples.reduce(0) { $0 + Int64($1.duration) }
        slice.coverage = min(coverage, MediaTime(slice.duration, timescale: timescale))
        slice.emitted = 0
        slice.skippedLeading = skippedLeading.filter(range.contains).map { $0 - range.lowerBound }
        if range.lowerBound > 0 {
            slice.start = boundary(at: slice.decodeTime)
            slice.reordering = reorderingAtEnd
            slice.recoversGradually = false
        }
        if range.upperBound < samples.count { slice.end = boundary(at: slice.decodeTime + slice.duration) }
        return slice
    }

    /// Returns a point of it; UTC runs with media time.
    private func boundary(at units: Int64) -> Boundary {
        let elapsed = MediaTime(units, timescale: timescale) - MediaTime(decodeTime, timescale: timescale)
        return Boundary(media: start.media + elapsed, utcOffset: start.utc - start.media)
    }
}
