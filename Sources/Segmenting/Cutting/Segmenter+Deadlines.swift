package import MediaCore
import Timeline

/// Deadlines of slots.
extension Segmenter {
    /// The time that a late key frame and a busy machine may add to a slot's deadline.
    private static let grace = MediaTime(milliseconds: 500)

    /// Returns the time at which a slot is given up: its end, plus the delay that a late key frame may cause, plus the
    /// feed's own delay.
    ///
    /// A slot that is handed out in parts continues as long as parts come.
    package func deadline(of slot: MediaSequenceNumber) -> MediaTime {
        let usual = usualDeadline(of: slot)
        return repetitionEnd.map { max(usual, $0) } ?? usual
    }

    /// Keeps waiting for all slots until a time, or until media of an unpublished slot arrives.
    ///
    /// This is for a feed that is read a second time, after another channel has read it: its delay is not measured yet.
    /// The next slot of video begins where the newest one ended.
    mutating func awaitRepetition(until time: MediaTime) {
        repetitionEnd = time
        guard let next else { return }
        for index in tracks.range { tracks[index.value].awaitRepetition(of: next) }
    }

    private func usualDeadline(of slot: MediaSequenceNumber) -> MediaTime {
        let end = plan.start(of: slot.next)
        guard let longest = horizon.partDuration, let open = tracks[leader.value].open, open.number == slot else {
            return end + patience
        }
        let times = partTimeouts
        // Other tracks are waited for, though the leading one may be silent.
        let usual = max(end + times.usual, open.partsEnd.utc + longest + patience(withPartsOf: leader, times))
        // Media that comes back can only begin the next slot if the gap before ends at its key frame. The gap, and the
        // parts of other tracks, go on until then.
        return open.source == nil && isReturning(leader, in: slot) ? max(usual, end + patience) : usual
    }

    /// Returns true if a source may soon begin the slot after this one: it is alive, and has had a key frame within the
    /// last slot and a half.
    ///
    /// Without key frames nothing is waited for, since every slot would be late.
    func isReturning(_ track: TrackIndex, in slot: MediaSequenceNumber) -> Bool {
        guard let now else { return false }
        let recent = now - grid.slotDuration - grid.tolerance
        // A closure would get a copy of each source.
        for source in tracks[track.value].sources.ranks {
            guard let entry = tracks[track.value].sources[source].newestEntry, entry >= recent else { continue }
            switch tracks[track.value].sources[source].offer(for: slot, now: now) {
            case .whole, .partial, .pending: return true
            case .nothing, .stalled: continue
            }
        }
        return false
    }

    /// The time after its end for which a slot is waited for.
    var patience: MediaTime { grid.tolerance + latency + Self.grace }

    /// The longest recent delay of a source's samples against their UTC.
    ///
    /// Sources that have been silent for several slots do not count.
    var latency: MediaTime {
        var newest: MediaTime?
        forEachHeardSource { arrival, _ in newest = max(newest ?? arrival, arrival) }
        guard let newest else { return .zero }
        let oldest = newest - grid.slotDuration * (2 * TrackSource.latencySlots)
        var latency: MediaTime?
        forEachHeardSource { arrival, most in if arrival >= oldest { latency = max(latency ?? most, most) } }
        return latency ?? .zero
    }

    /// Calls a function with the newest arrival and the longest recent delay of each source that was heard; it is done for
    /// every packet, and makes no list.
    private func forEachHeardSource(_ body: (_ arrival: MediaTime, _ latency: MediaTime) -> Void) {
        for track in tracks.range {
            for source in tracks[track.value].sources.ranks {
                guard let arrival = tracks[track.value].sources[source].newestArrival else { continue }
                body(arrival, tracks[track.value].sources[source].latency.most)
            }
        }
    }
}
