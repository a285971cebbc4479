import MediaCore
import Timeline

/// Choice of the track at whose boundaries the others are cut.
extension Segmenter {
    /// Sets the sources that have a track; before that any may.
    ///
    /// A track without sources is not waited for.
    mutating func setSources(_ sources: Set<SourceRank>, of track: TrackIndex) {
        let before = tracks[track.value].isWithdrawn
        for source in tracks[track.value].sources.ranks {
            let cuts = tracks[track.value].sources[source].setWithdrawn(!sources.contains(source))
            for cut in cuts { tracks[track.value].store(cut, from: source) }
        }
        guard tracks[track.value].isWithdrawn != before else { return }
        let (own, leading) = (tracks[track.value].kind.leadership, tracks[leader.value].kind.leadership)
        let precedes = own < leading || tracks[track.value].kind == .video && own == leading && track < leader
        // If all tracks are withdrawn, only the input is away, and the leader stays.
        guard before ? precedes : track == leader else { return }
        leader =
            firstToLead(of: tracks.range.filter { !tracks[$0.value].isWithdrawn && !tracks[$0.value].kind.isSparse })
            ?? leader
    }

    /// Returns the first video track, else the first audio track, and a sparse track only if there are no others.
    func firstToLead(of tracks: [TrackIndex]) -> TrackIndex? {
        tracks.min { (self.tracks[$0.value].kind.leadership, $0) < (self.tracks[$1.value].kind.leadership, $1) }
    }

    /// Replaces a leading track that stays silent or has no key frame, so that the other tracks are published.
    mutating func electLeader(at now: MediaTime) {
        guard next == nil, tracks.contains(where: \.hasSamples) else { return }
        if tracks[leader.value].kind == .video, tracks[leader.value].hasSync { return }
        let heard = firstHeard ?? now
        firstHeard = heard
        guard now - heard > grid.slotDuration * Int64(Self.patienceAtStart) + MediaTime(seconds: 10) else { return }
        let others = tracks.range.filter { $0 != leader && tracks[$0.value].hasSamples }
        let video = others.first { tracks[$0.value].kind == .video && tracks[$0.value].hasSync }
        guard let new = video ?? others.first(where: { !tracks[$0.value].kind.isSparse }) else { return }
        leader = new
        // The new leader starts now, because the other tracks have already discarded earlier media.
        for source in tracks[leader.value].sources.ranks {
            tracks[leader.value].sources[source].forget(through: plan.slot(at: now))
        }
    }
}
