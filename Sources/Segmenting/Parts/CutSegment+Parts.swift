import ISOBMFF
import MediaCore

extension CutSegment {
    /// The samples that were not handed out yet; nil if there are none.
    var unemitted: CutSegment? { emitted < samples.count ? slice(emitted..<samples.count) : nil }

    /// Returns pieces that last no longer than a part may; a sample is not divided.
    ///
    /// The end of a piece depends on its own samples and the next one alone. So pieces are the same whether a packager
    /// knows the samples after them or not.
    func parts(atMost longest: MediaTime) -> [CutSegment] {
        var parts: [CutSegment] = []
        var piece = PartLength(atMost: longest, timescale: timescale)
        var first = 0
        for (index, sample) in samples.enumerated() {
            if piece.ends(before: sample) {
                parts.append(slice(first..<index))
                piece = PartLength(atMost: longest, timescale: timescale)
                first = index
            }
            piece.append(sample)
        }
        return parts + [slice(first..<samples.count)]
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
