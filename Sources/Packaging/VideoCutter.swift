import ISOBMFF
package import MediaCore
package import Timeline

/// Cuts one video track on the segment grid.
///
/// A slot's segment starts at the first sync sample at or after the slot's edge (half a frame of tolerance), at most
/// `D/2` late. Where the next sync sample would make a segment outlast the target duration, the last one before the
/// edge is taken; where there is none, a sample that is not sync. A slot without samples is a gap. Numbers neither
/// skip nor repeat.
///
/// Samples are ordered by a *decode clock* that equals presentation time at sync samples, so that a segment's decode
/// time is its earliest presentation time and composition offsets may be negative instead of needing an edit list.
package struct VideoCutter: Sendable {
    private let grid: SegmentGrid

    /// The slot being filled; nil before the first sync sample.
    package private(set) var slot: MediaSequenceNumber?
    /// Repairs since they were last taken.
    package private(set) var repairs: [CutRepair] = []

    private var start = Boundary(media: .zero, utcOffset: .zero)
    private var samples: [Sample] = []
    private var configuration: CodecConfiguration?
    private var firstWholeSlot = MediaSequenceNumber(0)
    /// Presentation minus decode time at the newest sync sample.
    private var reordering = MediaTime.zero
    /// The same where the slot being filled begins.
    private var reorderingAtStart = MediaTime.zero
    private var frameDuration = MediaTime(milliseconds: 20)
    private var isAwaitingSync = true
    /// Whether leading pictures of the newest sync sample refer to what is lost.
    private var skipsLeading = true
    /// Whether a picture of the slot being filled was lost, or its end is not the next one's start.
    private var isHurt = false
    /// The newest sync sample that lies less than `D/2` before the slot's end.
    private var early: Int?
    private var lastSync: MediaTime?
    /// How far apart sync samples were before anything was lost.
    private var syncInterval: MediaTime?
    /// Whether the first slot was begun without knowing how far apart sync samples are.
    private var isBlind = true

    /// Longer without samples than this is a loss, not a slow frame rate.
    private static let hole = MediaTime(seconds: 1)

    /// - Parameter grid: The channel's grid.
    package init(grid: SegmentGrid) {
        self.grid = grid
    }

    /// Whether decoding could start anywhere yet.
    package var hasSync: Bool { lastSync != nil }

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [CutRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// The input broke off: what follows can only be decoded from a sync sample on.
    package mutating func inputRestarted() {
        isAwaitingSync = true
        isHurt = true
    }

    /// A picture was lost that is not missed for decoding on.
    package mutating func pictureLost() { isHurt = true }

    /// A sample arrived, in decode order.
    ///
    /// - Parameters:
    ///   - sample: On the track's media timeline.
    ///   - newConfiguration: The decoder configuration from this sync sample on, where it is not the one before.
    ///   - utcOffset: UTC minus media time.
    /// - Returns: The segments that this sample completes, in order.
    package mutating func received(
        _ sample: Sample,
        newConfiguration: CodecConfiguration?,
        utcOffset: MediaTime
    ) -> [CutSegment] {
        let original = sample
        var sample = sample
        if sample.isSync {
            reordering = sample.presentationTime - sample.decodeTime
            if isAwaitingSync { skipsLeading = true }
        } else if sample.isSkippedLeading, skipsLeading {
            return []
        } else if !sample.isSkippedLeading {
            skipsLeading = false
        }
        sample.decodeTime += reordering
        let time = sample.decodeTime
        let utc = time + utcOffset

        if slot == nil {
            if sample.isSync {
                begin(with: sample, configuration: newConfiguration, utc: utc, utcOffset: utcOffset)
            } else {
                repairs.append(.undecodableSample)
            }
            return []
        }
        if let last = samples.last?.decodeTime {
            let step = time - last
            if step > .zero, step < Self.hole { frameDuration = step }
        }
        var cuts: [CutSegment] = []
        while let slot, utc > latestEnd(of: slot) {
            if isBlind, !isWhole(slot), early == nil {
                // How far apart key frames are was not known: the next one begins better than a picture in between.
                self.slot = nil
                return received(original, newConfiguration: newConfiguration, utcOffset: utcOffset)
            }
            append(closeBefore(utc, of: slot, utcOffset: utcOffset), to: &cuts)
        }
        guard let slot else { return cuts }
        if let refusal = refusal(of: sample) {
            repairs.append(refusal)
            isHurt = true
            return cuts
        }
        let changed = sample.isSync && newConfiguration != nil && newConfiguration != configuration
        if sample.isSync {
            if !isAwaitingSync, let lastSync { syncInterval = time - lastSync }
            let edge = grid.start(of: slot.next)
            if utc + halfFrame >= edge {
                append(close(slot, at: Boundary(media: time, utcOffset: utcOffset, after: start)), to: &cuts)
            } else if utc >= edge - grid.tolerance {
                // The next sync sample is expected as far on as this one is from the one before. Where that is too far
                // for the next slot to start with it, this one does: also where media comes back.
                let expected = syncInterval.map { utc + $0 }
                if changed && !samples.isEmpty || expected.map({ $0 - halfFrame > latestEnd(of: slot) }) == true {
                    append(close(slot, at: Boundary(media: time, utcOffset: utcOffset, after: start)), to: &cuts)
                } else if !samples.isEmpty {
                    early = samples.count
                }
            } else if changed, !samples.isEmpty {
                // One slot, one segment, one configuration: the new one takes the slot from its start.
                repairs.append(.configurationChange)
                samples.removeAll(keepingCapacity: true)
                early = nil
            }
            lastSync = time
            isAwaitingSync = false
            if let newConfiguration { configuration = newConfiguration }
        }
        if samples.isEmpty {
            // What was before is lost: the first picture is shown from the boundary on.
            if sample.decodeTime - start.media > halfFrame { isHurt = true }
            sample.decodeTime = start.media
            if sample.isSync { sample.presentationTime = start.media }
        }
        if let last = samples.last { sample.decodeTime = max(sample.decodeTime, last.decodeTime + MediaTime(ticks: 1)) }
        if samples.isEmpty { reorderingAtStart = reordering }
        samples.append(sample)
        return cuts
    }

    /// The slot's time is up: whatever is there fills it, else it is a gap.
    ///
    /// - Returns: The segment; nil where `number` is not the slot being filled or the slot is not whole.
    package mutating func deadlinePassed(for number: MediaSequenceNumber, utcOffset: MediaTime) -> CutSegment? {
        guard let slot, slot == number else { return nil }
        isAwaitingSync = true
        isHurt = true
        let cut = close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        return isWhole(slot) ? cut : nil
    }

    /// The feed has ended: the samples that are left make the last segment, which ends where they end.
    package mutating func finish(utcOffset: MediaTime) -> CutSegment? {
        guard let slot, let last = samples.last else { return nil }
        let end = min(max(last.decodeTime, start.media) + frameDuration, start.media + grid.longestSegment)
        let cut = close(slot, at: Boundary(media: end, utcOffset: utcOffset, after: start))
        return isWhole(slot) ? cut : nil
    }
}

extension VideoCutter {
    private var halfFrame: MediaTime { MediaTime(ticks: frameDuration.ticks / 2) }

    /// Whether the track was there from the slot's start on; others are not published.
    private func isWhole(_ number: MediaSequenceNumber) -> Bool { number >= firstWholeSlot }

    private mutating func begin(
        with sample: Sample,
        configuration: CodecConfiguration?,
        utc: MediaTime,
        utcOffset: MediaTime
    ) {
        var number = grid.slot(at: utc + halfFrame)
        let edge = grid.start(of: number.next)
        if let lastSync, utc >= edge - grid.tolerance,
            utc + sample.decodeTime - lastSync - halfFrame > edge + grid.tolerance
        {
            // The last sync sample that fits before the next slot starts it.
            number = number.next
            firstWholeSlot = number
        } else {
            // Joined in the middle of a slot: its first sync sample may have gone by.
            firstWholeSlot = utc - grid.start(of: number) <= halfFrame ? number : number.next
        }
        isBlind = lastSync == nil
        slot = number
        start = Boundary(media: sample.decodeTime, utcOffset: utcOffset)
        samples = [sample]
        reorderingAtStart = reordering
        lastSync = sample.decodeTime
        isAwaitingSync = false
        isHurt = false
        self.configuration = configuration
    }

    /// The latest that a slot's segment may end, in UTC.
    private func latestEnd(of slot: MediaSequenceNumber) -> MediaTime {
        min(start.utc + grid.longestSegment, grid.start(of: slot.next) + grid.tolerance)
    }

    private func nominalEnd(of slot: MediaSequenceNumber, utcOffset: MediaTime) -> Boundary {
        var end = grid.start(of: slot.next)
        if let last = samples.last {
            end = min(max(end, last.decodeTime + frameDuration + utcOffset), latestEnd(of: slot))
        }
        return Boundary(media: end - utcOffset, utcOffset: utcOffset, after: start)
    }

    /// Ends a slot that a sample at `utc` is too late for.
    private mutating func closeBefore(
        _ utc: MediaTime,
        of slot: MediaSequenceNumber,
        utcOffset: MediaTime
    ) -> CutSegment {
        if let early { return close(slot, keeping: early, utcOffset: utcOffset) }
        guard let last = samples.last, utc - (last.decodeTime + utcOffset) < Self.hole else {
            // A hole: what follows it lands at its own time, and refers to pictures that are lost.
            isAwaitingSync = true
            isHurt = true
            return close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        }
        let edge = grid.start(of: slot.next)
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
        let earliest = grid.start(of: slot.next.next) - grid.tolerance - boundary.utc + boundary.media
        early = rest.indices.last { $0 > 0 && rest[$0].isSync && rest[$0].decodeTime >= earliest }
        return cut
    }

    private mutating func close(_ slot: MediaSequenceNumber, at end: Boundary) -> CutSegment {
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
            samples: list,
            skippedLeading: samples.firstGroup.indices.filter { samples[$0].isSkippedLeading },
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

    /// Why a sample cannot be used; nil if it can.
    ///
    /// The decode clock of one that can is made to rise.
    private mutating func refusal(of sample: Sample) -> CutRepair? {
        if let last = samples.last {
            if sample.decodeTime < last.decodeTime - MediaTime(milliseconds: 500) {
                isAwaitingSync = true
                return .lateSample
            }
        } else if sample.decodeTime < start.media - halfFrame {
            isAwaitingSync = true
            return .lateSample
        }
        return isAwaitingSync && !sample.isSync ? .undecodableSample : nil
    }

    private func append(_ cut: CutSegment, to cuts: inout [CutSegment]) {
        if isWhole(cut.number) { cuts.append(cut) }
    }
}

extension [Sample] {
    /// What follows the first sample up to the next sync sample.
    fileprivate var firstGroup: ArraySlice<Sample> { dropFirst().prefix { !$0.isSync } }
}
