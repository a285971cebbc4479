import MediaCore
import Timeline

/// Leaps over slots that no viewer would see.
extension Segmenter {
    /// Skips slots without media that playlists would no longer list once the slots up to `last` are published.
    ///
    /// A damaged timestamp, or a machine that slept, can make a run of slots without media that spans years.
    mutating func leap(through last: MediaSequenceNumber) {
        guard let next, next.distance(to: last) > longestRun else { return }
        var target = last.advanced(by: -Int64(longestRun))
        let held = tracks.flatMap { $0.sources.compactMap { $0.oldestMedia(from: next, on: plan) } }
        let chosen = gathered.filter { $0.value.values.contains { !$0.cut.isGap } }.keys
        for number in held + chosen { target = min(target, number) }
        guard next < target else { return }
        let edge = plan.start(of: target)
        for index in tracks.range { tracks[index.value].leap(to: target, edge) }
        boundaries.removeAll { $0.number < target }
        past = []
        gathered = gathered.filter { $0.key >= target }
        if leaderEnd.map({ $0.next < target }) ?? true { leaderEnd = (target, edge) }
        self.next = target
        hasLeapt = true
    }
}

extension SegmenterTrack {
    /// Continues at a slot's edge; the segment that was published last is long past.
    mutating func leap(to number: MediaSequenceNumber, _ edge: MediaTime) {
        open = nil
        end?.leap(to: edge, frameLength: Int64(configuration?.audio?.samplesPerFrame ?? 1))
        for index in sources.ranks { sources[index].leap(to: number, edge) }
    }
}

extension SegmentEnd {
    /// Moves the end to a later time on the same media timeline: to the edge for pictures, to the first frame at or
    /// after it for audio.
    fileprivate mutating func leap(to utc: MediaTime, frameLength: Int64) {
        let utcOffset = boundary.utc - boundary.media
        units = AudioCutter.frameEdge((utc - utcOffset).value(timescale: timescale), from: units, frameLength)
        boundary = Boundary(media: MediaTime(units, timescale: timescale), utcOffset: utcOffset)
        isGap = true
    }
}

extension TrackSource {
    /// Returns the oldest slot from one on with media, cut or not.
    ///
    /// Older media came too late, and is removed only when a slot is cut.
    func oldestMedia(from first: MediaSequenceNumber, on plan: BoundaryPlan) -> MediaSequenceNumber? {
        let cut = cuts.values.lazy.filter { !$0.isGap }.map(\.number).filter { $0 >= first }.min()
        let pictures = video.flatMap { $0.samples.isEmpty ? nil : $0.slot }.flatMap { $0 >= first ? $0 : nil }
        let frames = audio?.oldestFrame(from: plan.earliestStart(of: first) - utcOffset)
            .map { max(first, plan.slot(at: $0 + utcOffset)) }
        // Cues alone are no reason to list a slot.
        return [cut, pictures, frames].compactMap(\.self).min()
    }

    /// Drops everything for the slots before this one.
    mutating func leap(to number: MediaSequenceNumber, _ edge: MediaTime) {
        cuts = cuts.filter { $0.key >= number }
        video?.leap(to: number, utcOffset: utcOffset)
        audio?.leap(to: number, at: edge - utcOffset, utcOffset: utcOffset)
        text?.discard(before: edge - utcOffset)
    }
}

extension VideoCutter {
    /// Continues at a slot's edge, with nothing for the slots before it.
    mutating func leap(to number: MediaSequenceNumber, utcOffset: MediaTime) {
        guard let slot, slot < number, samples.isEmpty else { return }
        self.slot = number
        start = Boundary(media: plan.start(of: number) - utcOffset, utcOffset: utcOffset)
        isAwaitingSync = true
        isHurt = true
    }

    /// Leaps over a long run of slots without a sample; only the last of them get a gap each.
    mutating func leapTowards(_ utc: MediaTime, utcOffset: MediaTime) {
        leap(to: plan.slot(at: utc).advanced(by: -TrackSource.fewCuts), utcOffset: utcOffset)
    }
}
