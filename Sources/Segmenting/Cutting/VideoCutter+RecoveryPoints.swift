import MediaCore
import Timeline

/// Recovery points, with which segments start where a feed has no sync sample for them.
extension VideoCutter {
    /// Tells what leads a recovery point, and takes one for a sync sample where there is nothing better to begin with.
    mutating func noteRecovery(_ sample: inout Sample) {
        if sample.isSync {
            (sample.isRecoveryPoint, sample.recoversGradually) = (false, false)
            recovery = nil
        } else if sample.isRecoveryPoint {
            recovery = sample.presentationTime
            guard slot == nil || isAwaitingSync,
                lastSync.map({ sample.presentationTime - $0 > plan.grid.longestSegment }) ?? true
            else { return }
            sample.isSync = true
            skipsLeading = true
        } else if let recovery, sample.presentationTime < recovery {
            sample.isSkippedLeading = true
        } else {
            recovery = nil
        }
    }

    /// The recovery point that the next slot starts with where no sync sample does: the first one behind the edge, else
    /// the last one before it.
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

    /// Makes a recovery point a sync sample: the decode clock equals presentation time at it, too.
    mutating func startDecoding(at index: Int) {
        let step = samples[index].presentationTime - samples[index].decodeTime
        for later in index..<samples.endIndex { samples[later].decodeTime += step }
        samples[index].isSync = true
        reordering += step
    }
}
