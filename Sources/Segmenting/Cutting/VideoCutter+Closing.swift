import ISOBMFF
import MediaCore
import Timeline

/// The ends of slots.
extension VideoCutter {
    func nominalEnd(of slot: MediaSequenceNumber, utcOffset: MediaTime) -> Boundary {
        var end = plan.start(of: slot.next)
        if let last = samples.last {
            end = min(max(end, last.decodeTime + frameDuration + utcOffset), latestEnd(of: slot))
        }
        return Boundary(media: end - utcOffset, utcOffset: utcOffset, after: start)
    }

    /// Ends a slot that a sample is too late for.
    mutating func closeBefore(
        _ sample: Sample,
        of slot: MediaSequenceNumber,
        utcOffset: MediaTime
    ) -> CutSegment {
        let utc = sample.decodeTime + utcOffset
        if let early { return close(slot, keeping: early, utcOffset: utcOffset) }
        if !isFinalAtOnce, let index = recoveryPoint(for: slot, utcOffset: utcOffset) {
            repairs.append(samples[index].recoversGradually ? .gradualRecoveryCut : .recoveryPointCut)
            startDecoding(at: index)
            return close(slot, keeping: index, utcOffset: utcOffset)
        }
        guard let last = samples.last, utc - (last.decodeTime + utcOffset) < Self.hole else {
            // A hole: the samples after it land at their own time, and refer to pictures that are lost.
            return closeBeforeHole(slot, utcOffset: utcOffset)
        }
        if isFinalAtOnce {
            noteForcedCut()
            return close(slot, at: Boundary(media: sample.decodeTime, utcOffset: utcOffset, after: start))
        }
        let edge = plan.start(of: slot.next)
        guard let index = samples.firstIndex(where: { $0.decodeTime + utcOffset + halfFrame >= edge }), index > 0 else {
            return close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        }
        noteForcedCut()
        return close(slot, keeping: index, utcOffset: utcOffset)
    }

    /// Notes that key frames are too far apart, unless one may have been lost.
    private mutating func noteForcedCut() {
        if !isHurt { repairs.append(.forcedCut) }
    }

    /// Ends a slot after whose last sample none has come for a while.
    mutating func closeBeforeHole(_ slot: MediaSequenceNumber, utcOffset: MediaTime) -> CutSegment {
        isAwaitingSync = true
        isHurt = true
        var cut = close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        cut.precedesHole = true
        return cut
    }

    /// Ends a slot before one of its own samples, which starts the next.
    private mutating func close(
        _ slot: MediaSequenceNumber,
        keeping count: Int,
        utcOffset: MediaTime
    ) -> CutSegment {
        let rest = Array(samples[count...])
        samples.removeSubrange(count...)
        let boundary = Boundary(media: rest[0].decodeTime, utcOffset: utcOffset, after: start)
        let cut = close(slot, at: boundary)
        samples = rest
        reorderingAtStart = reordering
        let earliest = plan.earliestStart(of: slot.next.next) - Self.slack - boundary.utc + boundary.media
        early = rest.indices.last { $0 > 0 && rest[$0].isSync && rest[$0].decodeTime >= earliest }
        return cut
    }

    mutating func close(_ slot: MediaSequenceNumber, at end: Boundary) -> CutSegment {
        let end = endAfterParts(end)
        // A sync sample may be presented before the decode clock of those before it would have it decoded.
        var limit = end.media
        for index in samples.indices.reversed() where samples[index].decodeTime >= limit {
            samples[index].decodeTime = limit - MediaTime(ticks: 1)
            limit = samples[index].decodeTime
        }
        var cut = segment(of: slot, samples.indices, from: start, to: end)
        cut.emitted = emitted
        samples.removeAll(keepingCapacity: true)
        isHurt = false
        early = nil
        (emitted, partEnd) = (0, nil)
        self.slot = slot.next
        start = end
        return cut
    }

    /// Returns an end after which parts that were handed out keep their times, and the other samples have some.
    private func endAfterParts(_ end: Boundary) -> Boundary {
        guard let partEnd else { return end }
        let earliest = partEnd.media + MediaTime(ticks: Int64(samples.count - emitted))
        let delay = max(earliest - end.media, .zero)
        return Boundary(media: end.media + delay, utcOffset: end.utc - end.media)
    }

    /// Makes a segment of some of the slot's samples.
    func segment(
        of slot: MediaSequenceNumber,
        _ range: Range<Int>,
        from start: Boundary,
        to end: Boundary
    ) -> CutSegment {
        var list: [FragmentSample] = []
        list.reserveCapacity(range.count)
        var coverage = MediaTime.zero
        for index in range {
            let sample = samples[index]
            let next = index + 1 < range.upperBound ? samples[index + 1].decodeTime : end.media
            let duration = next - sample.decodeTime
            // A picture that is held through a hole covers no more than its own time.
            coverage += duration < Self.hole ? duration : frameDuration
            list.append(
                FragmentSample(
                    duration: UInt32(clamping: duration.ticks),
                    compositionOffset: Int32(clamping: sample.presentationTime.ticks - sample.decodeTime.ticks),
                    isSync: sample.isSync,
                    payload: sample.payload,
                    subsamples: sample.subsamples
                )
            )
        }
        let isFirst = range.lowerBound == 0
        return CutSegment(
            number: slot,
            start: start,
            end: end,
            timescale: MediaTime.timescale,
            decodeTime: start.media.ticks,
            duration: end.media.ticks - start.media.ticks,
            reordering: isFirst ? reorderingAtStart.ticks : reordering.ticks,
            reorderingAtEnd: reordering.ticks,
            samples: list,
            skippedLeading: isFirst ? skippedLeading.filter(range.contains) : [],
            recoversGradually: isFirst && samples.first?.recoversGradually == true,
            configuration: range.isEmpty ? nil : configuration,
            coverage: coverage,
            isWhole: !isHurt && coverage.ticks == end.media.ticks - start.media.ticks && list.first?.isSync == true
        )
    }
}

extension VideoCutter {
    /// The places of samples that need pictures from before the first one, all before the next key frame.
    var skippedLeading: [Int] {
        let group = samples.dropFirst().prefix { !$0.isSync && !$0.isRecoveryPoint }
        return group.indices.filter { group[$0].isSkippedLeading }
    }
}
