package import MediaCore
import Timeline

/// The stages that a sample passes on its way into a slot.
extension VideoCutter {
    /// A sample with its place on the decode clock.
    private struct Arrival {
        var sample: Sample
        /// Presentation minus decode time at the newest sync sample, or at this one if it is one.
        let reordering: MediaTime
        /// The decode clock as the sample came, before a cut sets it anew.
        let time: MediaTime
        let utcOffset: MediaTime
        /// The decoder configuration from this sample on; nil if there is no other.
        let configuration: CodecConfiguration?

        var utc: MediaTime { time + utcOffset }
    }

    /// The effect of a sync sample on the slot that it comes in.
    private enum SyncEffect {
        /// The sample starts the next slot.
        case endsSlot
        /// The sample starts the next slot if none comes that is nearer to the edge.
        case mayEndSlot
        /// The sample makes the media of the slot useless, because that has another configuration.
        case replacesSlot
        case none
    }

    /// Takes a sample that has arrived, in decode order.
    ///
    /// - Parameters:
    ///   - sample: The sample, on the track's media timeline.
    ///   - newConfiguration: The decoder configuration from this sync sample on, if it is new.
    ///   - utcOffset: UTC minus media time.
    /// - Returns: The segments that this sample completes, in order.
    package mutating func received(
        _ sample: Sample,
        newConfiguration: CodecConfiguration?,
        utcOffset: MediaTime
    ) -> [CutSegment] {
        if joinFields(sample) { return [] }
        guard var arrival = admit(sample, newConfiguration, utcOffset) else { return [] }
        frames.note(arrival.time)
        if resume(with: arrival) { return [] }
        guard slot != nil else {
            begin(with: arrival)
            return []
        }
        var cuts: [CutSegment] = []
        guard closeSlots(before: arrival, into: &cuts) else {
            slot = nil
            if let arrival = admit(sample, newConfiguration, utcOffset) { begin(with: arrival) }
            return []
        }
        guard let slot else { return cuts }
        follow(&arrival, decodeTime: sample.decodeTime)
        guard isUsable(arrival.sample) else { return cuts }
        if arrival.sample.isSync, !takeSync(arrival, in: slot, into: &cuts) { return cuts }
        append(arrival.sample)
        return cuts
    }

    /// Makes one sample of both fields of a frame.
    ///
    /// - Returns: False if the sample is not the second field of the one before.
    private mutating func joinFields(_ sample: Sample) -> Bool {
        guard sample.field == .second, !isAwaitingSync, let last = samples.indices.last, samples[last].field == .first
        else { return false }
        samples[last].join(sample)
        return true
    }

    /// Puts a sample on the decode clock.
    ///
    /// - Returns: Nil for a leading picture that refers to lost pictures.
    private mutating func admit(
        _ sample: Sample,
        _ configuration: CodecConfiguration?,
        _ utcOffset: MediaTime
    ) -> Arrival? {
        var sample = sample
        noteRecovery(&sample, utcOffset: utcOffset)
        let reordering = sample.isSync ? sample.presentationTime - sample.decodeTime : reordering
        if sample.isSync {
            if isAwaitingSync { skipsLeading = true }
        } else if sample.isSkippedLeading, skipsLeading {
            return nil
        } else if !sample.isSkippedLeading {
            skipsLeading = false
        }
        sample.decodeTime += reordering
        return Arrival(
            sample: sample,
            reordering: reordering,
            time: sample.decodeTime,
            utcOffset: utcOffset,
            configuration: configuration
        )
    }

    /// Begins the first slot with a sync sample; no other can be decoded.
    private mutating func begin(with arrival: Arrival) {
        let (sample, utc) = (arrival.sample, arrival.utc)
        // A feed that runs already is joined between its key frames.
        guard sample.isSync else { return }
        var number = plan.slot(at: utc + halfFrame)
        if let lastSync, utc >= plan.earliestStart(of: number.next),
            utc + sample.decodeTime - lastSync > plan.latestStart(of: number.next)
        {
            // The last sync sample that fits before the next slot starts it.
            number = number.next
            firstWholeSlot = number
        } else {
            // The input was joined in the middle of a slot, whose first sync sample may have gone by.
            firstWholeSlot = utc - plan.start(of: number) <= halfFrame ? number : number.next
        }
        isBlind = !hasSync
        hasSync = true
        slot = number
        start = Boundary(media: sample.decodeTime, utcOffset: arrival.utcOffset)
        samples = [sample]
        (reordering, reorderingAtStart) = (arrival.reordering, arrival.reordering)
        if !sample.isRecoveryPoint { lastSync = sample.decodeTime }
        isAwaitingSync = false
        isHurt = false
        configuration = arrival.configuration
    }

    /// Begins the slot after those of an earlier run, with the sync sample at their end.
    ///
    /// The earlier run has seen more of the feed, while this one does not know the interval of key frames yet. If key
    /// frames lie half a slot from the edges, this run might choose others to begin slots with.
    ///
    /// - Returns: False if the sample is another one.
    private mutating func resume(with arrival: Arrival) -> Bool {
        guard let (number, start) = resumption else { return false }
        let tolerance = max(halfFrame, Self.slack)
        if arrival.utc > start + tolerance { resumption = nil }
        guard arrival.sample.isSync, abs((arrival.utc - start).ticks) <= tolerance.ticks,
            start >= plan.earliestStart(of: number) - Self.slack, start <= plan.latestStart(of: number) + Self.slack,
            emitted == 0, slot.map({ $0 <= number }) ?? true
        else { return false }
        resumption = nil
        if !isAwaitingSync, let lastSync { syncInterval = arrival.time - lastSync }
        begin(with: arrival)
        (slot, firstWholeSlot) = (number, number)
        early = nil
        return true
    }

    /// Closes the slots that a sample is too late for.
    ///
    /// - Returns: False if the first slot has to begin anew with this sample: the interval of key frames was not known
    ///   well, and a key frame is a better start than a picture in between.
    private mutating func closeSlots(before arrival: Arrival, into cuts: inout [CutSegment]) -> Bool {
        let (isSync, utc, utcOffset) = (arrival.sample.isSync, arrival.utc, arrival.utcOffset)
        // If a picture that comes too late starts the next segment, and none before it does, the segment must not start
        // later than that.
        let notice = isFinalAtOnce && !isSync ? frameDuration : .zero
        while let slot, utc > latestEnd(of: slot) - notice {
            if isBlind || isSync, !isWhole(slot), early == nil, recoveryPoint(for: slot, utcOffset: utcOffset) == nil {
                return false
            }
            add(closeBefore(arrival.sample, of: slot, utcOffset: utcOffset), to: &cuts)
            leapTowards(utc, utcOffset: utcOffset)
        }
        return true
    }

    /// Takes over the distance from decoding to presentation: a cut at a recovery point has set the decode clock anew.
    private mutating func follow(_ arrival: inout Arrival, decodeTime: MediaTime) {
        if arrival.sample.isSync {
            reordering = arrival.reordering
        } else {
            arrival.sample.decodeTime = decodeTime + reordering
        }
    }

    /// Returns true if a sample can be used, and notes a sample that comes too late or cannot be decoded.
    private mutating func isUsable(_ sample: Sample) -> Bool {
        let isLate =
            if let last = samples.last {
                sample.decodeTime < last.decodeTime - Self.mostDisorder
            } else {
                sample.decodeTime < start.media - halfFrame
            }
        if isLate {
            isAwaitingSync = true
            repairs.append(.lateSample)
        } else if isAwaitingSync, !sample.isSync {
            repairs.append(.undecodableSample)
        } else {
            return true
        }
        isHurt = true
        return false
    }

    /// Takes a sync sample; decoding continues with it.
    ///
    /// - Returns: False if it waits for the next slot, because the parts of this one have another configuration.
    private mutating func takeSync(
        _ arrival: Arrival,
        in slot: MediaSequenceNumber,
        into cuts: inout [CutSegment]
    ) -> Bool {
        if !isAwaitingSync, !arrival.sample.isRecoveryPoint, let lastSync { syncInterval = arrival.time - lastSync }
        switch effect(of: arrival, on: slot) {
        case .endsSlot:
            add(close(slot, at: Boundary(media: arrival.time, utcOffset: arrival.utcOffset, after: start)), to: &cuts)
        case .mayEndSlot:
            early = samples.count
        case .replacesSlot:
            repairs.append(.configurationChange)
            if emitted > 0 {
                (isHurt, isAwaitingSync) = (true, true)
                return false
            }
            samples.removeAll(keepingCapacity: true)
            early = nil
        case .none: break
        }
        if !arrival.sample.isRecoveryPoint { lastSync = arrival.time }
        isAwaitingSync = false
        if let new = arrival.configuration { configuration = new }
        return true
    }

    /// Returns the effect of a sync sample on the slot that is being filled.
    private func effect(of arrival: Arrival, on slot: MediaSequenceNumber) -> SyncEffect {
        let (utc, next) = (arrival.utc, slot.next)
        if utc + halfFrame >= plan.start(of: next) { return .endsSlot }
        // One slot, one segment, one configuration: a new configuration takes the slot from its start, or waits for the
        // next.
        let changes = !samples.isEmpty && arrival.configuration.map { configuration?.continues($0) != true } == true
        guard utc >= plan.earliestStart(of: next) - Self.slack else { return changes ? .replacesSlot : .none }
        // The next sync sample is expected as far on as this one is from the one before. If that is too late for the
        // start of the next slot, this one starts it. After a loss it also does if that is in doubt, because no media
        // precedes it. Where samples are final, there is no tolerance, since no cut is revoked. At a splice the encoder has
        // a sync sample.
        let doubt = samples.isEmpty ? Self.slack : isFinalAtOnce ? .zero : -halfFrame
        let isSpliced = plan.splice(startingWith: next) != nil
        let expected = isSpliced ? nil : syncInterval.map { utc + $0 + doubt }
        if changes || expected.map({ $0 > latestEnd(of: slot) }) == true { return .endsSlot }
        return samples.isEmpty || isFinalAtOnce ? .none : .mayEndSlot
    }

    /// Appends a sample to the slot, at a decode time after the one before.
    private mutating func append(_ sample: Sample) {
        var sample = sample
        if declaredDuration != nil, emitted == samples.count, let partEnd {
            // The samples handed out keep the durations that were published.
            sample.decodeTime = partEnd.media
        } else if let last = samples.last {
            sample.decodeTime = max(sample.decodeTime, last.decodeTime + MediaTime(ticks: 1))
        } else {
            // The media before is lost: the first picture is shown from the boundary on.
            if sample.decodeTime - start.media > halfFrame { isHurt = true }
            sample.decodeTime = start.media
            if sample.isSync { sample.presentationTime = start.media }
            reorderingAtStart = reordering
        }
        samples.append(sample)
    }

    /// Appends a cut, if the track was there from its slot's start on; others are not published.
    private func add(_ cut: CutSegment, to cuts: inout [CutSegment]) {
        if isWhole(cut.number) { cuts.append(cut) }
    }
}
