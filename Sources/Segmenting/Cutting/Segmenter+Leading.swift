import MediaCore
import Timeline

/// Which track says where the others are cut.
extension Segmenter {
    /// Says which of a track's sources have it; before anything is said each may.
    ///
    /// Nobody waits for a track that no source has.
    mutating func setSources(_ sources: Set<Int>, of track: Int) {
        let before = tracks[track].isWithdrawn
        for source in tracks[track].sources.indices {
            let cuts = tracks[track].sources[source].setWithdrawn(!sources.contains(source))
            for cut in cuts { tracks[track].store(cut, from: source) }
        }
        guard tracks[track].isWithdrawn != before else { return }
        let (own, leading) = (tracks[track].kind.leadership, tracks[leader].kind.leadership)
        let precedes = own < leading || tracks[track].kind == .video && own == leading && track < leader
        // Where nothing is left at all it is only the input that is away.
        guard before ? precedes : track == leader else { return }
        leader =
            firstToLead(of: tracks.indices.filter { !tracks[$0].isWithdrawn && !tracks[$0].kind.isSparse }) ?? leader
    }

    /// The first video, or the first audio where there is none; a sparse track only where there is nothing else.
    func firstToLead(of tracks: [Int]) -> Int? {
        tracks.min { (self.tracks[$0].kind.leadership, $0) < (self.tracks[$1].kind.leadership, $1) }
    }

    /// A leading track that stays silent, or has no picture that decoding can start at, must not silence the others.
    mutating func electLeader(at now: MediaTime) {
        guard next == nil, tracks.contains(where: \.hasSamples) else { return }
        if tracks[leader].kind == .video, tracks[leader].hasSync { return }
        let heard = firstHeard ?? now
        firstHeard = heard
        guard now - heard > grid.slotDuration * Int64(Self.patienceAtStart) + MediaTime(seconds: 10) else { return }
        let others = tracks.indices.filter { $0 != leader && tracks[$0].hasSamples }
        let video = others.first { tracks[$0].kind == .video && tracks[$0].hasSync }
        guard let new = video ?? others.first(where: { !tracks[$0].kind.isSparse }) else { return }
        leader = new
        // It leads from now on: of what has gone by the others have nothing any more.
        for source in tracks[leader].sources.indices {
            tracks[leader].sources[source].forget(through: plan.slot(at: now))
        }
    }
}
