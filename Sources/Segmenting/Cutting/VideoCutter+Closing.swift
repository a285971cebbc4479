import ISOBMFF
import MediaCore
import Timeline

/// How slots end.
extension VideoCutter {
    func nominalEnd(of slot: MediaSequenceNumber, utcOffset: MediaTime) -> Boundary {
        var end = plan.start(of: slot.next)
        if let last = samples.last {
            end = min(max(end, last.decodeTime + frameDuration + utcOffset), latestEnd(of: slot))
        }
        return Boundary(media: end - utcOffset, utcOffset: utcOffset, after: start)
    }

    /// Ends a slot that a sample at `utc` is too late for.
    mutating func closeBefore(
        _ utc: MediaTime,
        of slot: MediaSequenceNumber,
        utcOffset: MediaTime
    ) -> CutSegment {
        if let early { return close(slot, keeping: early, utcOffset: utcOffset) }
        if let index = recoveryPoint(for: slot, utcOffset: utcOffset) {
            repairs.append(samples[index].recoversGradually ? .gradualRecoveryCut : .recoveryPointCut)
            startDecoding(at: index)
            return close(slot, keeping: index, utcOffset: utcOffset)
        }
        guard let last = samples.last, utc - (last.decodeTime + utcOffset) < Self.hole else {
            // A hole: what follows it lands at its own time, and refers to pictures that are lost.
            isAwaitingSync = true
            isHurt = true
            return close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        }
        let edge = plan.start(of: slot.next)
        guard let index = samples.firstIndex(where: { $0.decodeTime + utcOffset + halfFrame >= edge }), index > 0 else {
            return close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        }
        repairs.append(.forcedCut)
        return close(slot, keeping: index, utcOffset: utcOffset)
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
        // A sync sample may be presented before the decode clock of those before it would have it decoded.
        var limit = end.media
        for index in samples.indices.reversed() where samples[index].decodeTime >= limit {
            samples[index].decodeTime = limit - MediaTime(ticks: 1)
            limit = samples[index].decodeTime
        }
        var list: [FragmentSample] = []
        list.reserveCapacity(samples.count)
        var coverage = MediaTime.zero
        for (index, sample) in samples.enumerated() {
            let next = index + 1 < samples.count ? samples[index + 1].decodeTime : end.media
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
        let cut = CutSegment(
            number: slot,
            start: start,
            end: end,
            timescale: MediaTime.timescale,
            decodeTime: start.media.ticks,
            duration: end.media.ticks - start.media.ticks,
            reordering: reorderingAtStart.ticks,
            reorderingAtEnd: reordering.ticks,
            samples: list,
            skippedLeading: samples.firstGroup.indices.filter { samples[$0].isSkippedLeading },
            recoversGradually: samples.first?.recoversGradually == true,
            configuration: samples.isEmpty ? nil : configuration,
            coverage: coverage,
            isWhole: !isHurt && coverage.ticks == end.media.ticks - start.media.ticks && list.first?.isSync == true
        )
        samples.removeAll(keepingCapacity: true)
        isHurt = false
        early = nil
        self.slot = slot.next
        start = end
        return cut
    }
}

extension [Sample] {
    /// What follows the first sample up to the next one that decoding may start at.
    fileprivate var firstGroup: ArraySlice<Sample> { dropFirst().prefix { !$0.isSync && !$0.isRecoveryPoint } }
}
