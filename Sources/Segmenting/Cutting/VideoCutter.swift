package import MediaCore
package import Timeline

/// Cuts one video track by the channel's plan of boundaries.
///
/// A slot's segment starts at the first sync sample at or after the slot's edge (half a frame of tolerance), at most
/// `D/2` late. Where the next sync sample would make a segment outlast the target duration, the last one before the
/// edge is taken; where there is none, a recovery point, then any sample. A slot without samples is a gap. Numbers
/// neither skip nor repeat. Both fields of a frame are one sample, and are never cut apart.
///
/// Samples are ordered by a *decode clock* that equals presentation time at sync samples, so that a segment's decode
/// time is its earliest presentation time and composition offsets may be negative instead of needing an edit list.
package struct VideoCutter: Sendable {
    /// Where the channel's slots begin, as far as that is known.
    package var plan: BoundaryPlan
    /// Whether what a segment holds is final with each sample, and no cut is taken back.
    let isFinalAtOnce: Bool

    /// The slot being filled; nil before the first sync sample.
    package internal(set) var slot: MediaSequenceNumber?
    /// Repairs since they were last taken.
    package internal(set) var repairs: [CutRepair] = []

    var start = Boundary(media: .zero, utcOffset: .zero)
    var samples: [Sample] = []
    /// How many of them were told as parts.
    var told = 0
    /// Where the newest part ended.
    var partEnd: Boundary?
    var configuration: CodecConfiguration?
    var firstWholeSlot = MediaSequenceNumber(0)
    /// Presentation minus decode time at the newest sync sample.
    var reordering = MediaTime.zero
    /// The same where the slot being filled begins.
    var reorderingAtStart = MediaTime.zero
    var frameDuration = MediaTime(milliseconds: 20)
    var isAwaitingSync = true
    /// Whether leading pictures of the newest sync sample or recovery point refer to what is lost.
    var skipsLeading = true
    /// When the newest recovery point is presented, if there was no sync sample since: what is earlier leads it.
    var recovery: MediaTime?
    /// Whether a picture of the slot being filled was lost, or its end is not the next one's start.
    var isHurt = false
    /// The newest sync sample that lies less than `D/2` before the slot's end.
    var early: Int?
    var lastSync: MediaTime?
    /// How far apart sync samples were before anything was lost.
    var syncInterval: MediaTime?
    /// Whether the first slot was begun without knowing how far apart sync samples are.
    var isBlind = true

    /// Longer without samples than this is a loss, not a slow frame rate.
    static let hole = MediaTime(seconds: 1)
    /// By so much more than the grid's tolerance a segment may begin early or end late; the same for every rung of a ladder.
    static let slack = MediaTime(milliseconds: 10)

    /// - Parameters:
    ///   - plan: Where the channel's slots begin.
    ///   - horizon: The channel's.
    package init(_ plan: BoundaryPlan, horizon: CommitHorizon = .slot) {
        self.plan = plan
        isFinalAtOnce = horizon != .slot
    }

    /// Whether decoding could start anywhere yet.
    package internal(set) var hasSync = false

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

    /// Takes over how UTC lies to media time now, where that moved by more than slewing does while nothing came.
    ///
    /// The clock that an input shares with others is slewed while it is away.
    ///
    /// - Parameter utcOffset: UTC minus media time.
    mutating func resume(at utcOffset: MediaTime) {
        guard samples.isEmpty, start.isAstray(from: utcOffset) else { return }
        start = Boundary(media: start.utc - utcOffset, utcOffset: utcOffset)
    }

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
        if sample.field == .second, !isAwaitingSync, let last = samples.indices.last, samples[last].field == .first {
            samples[last].join(sample)
            return []
        }
        let original = sample
        var sample = sample
        noteRecovery(&sample, utcOffset: utcOffset)
        let reordering = sample.isSync ? sample.presentationTime - sample.decodeTime : reordering
        if sample.isSync {
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
                self.reordering = reordering
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
        // Where a picture that comes too late starts the next segment, and none before it, it must not be later than that.
        let notice = isFinalAtOnce && !sample.isSync ? frameDuration : .zero
        while let slot, utc > latestEnd(of: slot) - notice {
            if isBlind || sample.isSync, !isWhole(slot), early == nil,
                recoveryPoint(for: slot, utcOffset: utcOffset) == nil
            {
                // How far apart key frames are was not known well: the next one begins better than a picture in between.
                self.slot = nil
                return received(original, newConfiguration: newConfiguration, utcOffset: utcOffset)
            }
            append(closeBefore(sample, of: slot, utcOffset: utcOffset), to: &cuts)
            leapTowards(utc, utcOffset: utcOffset)
        }
        guard let slot else { return cuts }
        if sample.isSync {
            self.reordering = reordering
        } else {
            // A cut at a recovery point has set the decode clock anew.
            sample.decodeTime = original.decodeTime + self.reordering
        }
        if let refusal = refusal(of: sample) {
            repairs.append(refusal)
            isHurt = true
            return cuts
        }
        let changed = sample.isSync && newConfiguration.map { configuration?.continues($0) != true } == true
        if sample.isSync {
            if !isAwaitingSync, let lastSync { syncInterval = time - lastSync }
            let edge = plan.start(of: slot.next)
            if utc + halfFrame >= edge {
                append(close(slot, at: Boundary(media: time, utcOffset: utcOffset, after: start)), to: &cuts)
            } else if utc >= plan.earliestStart(of: slot.next) - Self.slack {
                // The next sync sample is expected as far on as this one is from the one before. Where that is too far
                // for the next slot to start with it, this one does: also where media comes back, and then in doubt, too,
                // for there is nothing before it to be cut from it later. At a splice the encoder has one.
                let doubt = samples.isEmpty ? Self.slack : -halfFrame
                let isSpliced = plan.splice(startingWith: slot.next) != nil
                let expected = isSpliced ? nil : syncInterval.map { utc + $0 + doubt }
                if changed && !samples.isEmpty || expected.map({ $0 > latestEnd(of: slot) }) == true {
                    append(close(slot, at: Boundary(media: time, utcOffset: utcOffset, after: start)), to: &cuts)
                } else if !samples.isEmpty, !isFinalAtOnce {
                    early = samples.count
                }
            } else if changed, !samples.isEmpty {
                // One slot, one segment, one configuration: the new one takes the slot from its start, or waits for the next.
                repairs.append(.configurationChange)
                if told > 0 {
                    (isHurt, isAwaitingSync) = (true, true)
                    return cuts
                }
                samples.removeAll(keepingCapacity: true)
                early = nil
            }
            if !sample.isRecoveryPoint { lastSync = time }
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
        if samples.isEmpty { reorderingAtStart = self.reordering }
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
        let end = min(max(last.decodeTime, start.media) + frameDuration, start.media + plan.grid.longestSegment)
        let cut = close(slot, at: Boundary(media: end, utcOffset: utcOffset, after: start))
        return isWhole(slot) ? cut : nil
    }
}

extension VideoCutter {
    var halfFrame: MediaTime { MediaTime(ticks: frameDuration.ticks / 2) }

    /// Whether the track was there from the slot's start on; others are not published.
    func isWhole(_ number: MediaSequenceNumber) -> Bool { number >= firstWholeSlot }

    private mutating func begin(
        with sample: Sample,
        configuration: CodecConfiguration?,
        utc: MediaTime,
        utcOffset: MediaTime
    ) {
        var number = plan.slot(at: utc + halfFrame)
        if let lastSync, utc >= plan.earliestStart(of: number.next),
            utc + sample.decodeTime - lastSync > plan.latestStart(of: number.next)
        {
            // The last sync sample that fits before the next slot starts it.
            number = number.next
            firstWholeSlot = number
        } else {
            // Joined in the middle of a slot: its first sync sample may have gone by.
            firstWholeSlot = utc - plan.start(of: number) <= halfFrame ? number : number.next
        }
        isBlind = !hasSync
        hasSync = true
        slot = number
        start = Boundary(media: sample.decodeTime, utcOffset: utcOffset)
        samples = [sample]
        reorderingAtStart = reordering
        if !sample.isRecoveryPoint { lastSync = sample.decodeTime }
        isAwaitingSync = false
        isHurt = false
        self.configuration = configuration
    }

    /// The latest that a slot's segment may end, in UTC.
    ///
    /// Where key frames come once a slot and half a slot from its edges, a clock that is slewed moves them over the
    /// tolerance and back; the slack keeps each in the slot where it is. A start is made without it.
    func latestEnd(of slot: MediaSequenceNumber) -> MediaTime {
        let slack = isWhole(slot) ? Self.slack : .zero
        return min(start.utc + plan.grid.longestSegment, plan.latestStart(of: slot.next) + slack)
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
