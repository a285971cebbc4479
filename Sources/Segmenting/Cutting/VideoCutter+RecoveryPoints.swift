import MediaCore
import Timeline

/// Recovery points, which start segments if a feed has no sync samples.
extension VideoCutter {
    /// Marks samples that lead a recovery point, and treats the point as a sync sample if there is no better start.
    mutating func noteRecovery(_ sample: inout Sample, utcOffset: MediaTime) {
        if sample.isSync {
            (sample.isRecoveryPoint, sample.recoversGradually) = (false, false)
            recovery = nil
        } else if sample.isRecoveryPoint {
            recovery = sample.presentationTime
            if slot == nil || isAwaitingSync {
                guard lastSync.map({ sample.presentationTime - $0 > plan.grid.longestSegment }) ?? true else { return }
                sample.isSync = true
                skipsLeading = true
            } else if isFinalAtOnce, let slot, mustCut(slot, at: sample.presentationTime + utcOffset) {
                repairs.append(sample.recoversGradually ? .gradualRecoveryCut : .recoveryPointCut)
                sample.isSync = true
            }
        } else if let recovery, sample.presentationTime < recovery {
            sample.isSkippedLeading = true
        } else {
            recovery = nil
        }
    }

    /// Returns true if a slot is over, and no sync sample is expected before its latest end.
    private func mustCut(_ slot: MediaSequenceNumber, at utc: MediaTime) -> Bool {
        guard utc + halfFrame >= plan.start(of: slot.next) else { return false }
        guard let lastSync, let syncInterval else { return true }
        let passed = utc - (lastSync + start.utc - start.media)
        // Two were expected, and have not come: the encoder has changed its ways.
        guard passed <= syncInterval * 2 + halfFrame else { return true }
        let groups = passed.ticks / max(syncInterval.ticks, 1) + 1
        return utc - passed + syncInterval * groups > latestEnd(of: slot)
    }

    /// Returns the recovery point that starts the next slot if no sync sample does.
    ///
    /// It is the first one after the edge, or else the last one before it.
    func recoveryPoint(for slot: MediaSequenceNumber, utcOffset: MediaTime) -> Int? {
        let edge = plan.start(of: slot.next) - utcOffset
        let (earliest, latest) = (plan.earliestStart(of: slot.next) - utcOffset, latestEnd(of: slot) - utcOffset)
        let found = samples.indices.dropFirst().filter { index in
            let sample = samples[index]
            return sample.isRecoveryPoint && !sample.isSync && sample.presentationTime >= earliest
                && sample.presentationTime <= latest
        }
        return found.first { samples[$0].presentationTime + halfFrame >= edge } ?? found.last
    }

    /// Makes a recovery point a sync sample, so that the decode clock equals presentation time there as well.
    mutating func startDecoding(at index: Int) {
        let step = samples[index].presentationTime - samples[index].decodeTime
        for later in index..<samples.endIndex { samples[later].decodeTime += step }
        samples[index].isSync = true
        reordering += step
    }
}
