import MediaCore

/// Text that comes from no input.
extension Segmenter {
    /// Cues of a track arrived whose media timeline is UTC, and which follows no input.
    mutating func received(_ cues: [Cue], track index: TrackIndex) {
        for cue in cues { tracks[index.value].sources[.primary].text?.received(cue) }
    }

    /// Returns the end of the newest cut or published segment of a text track, and the number of cues that it keeps.
    func cues(of track: TrackIndex) -> (end: MediaTime?, count: Int) {
        guard let cutter = tracks[track.value].sources.first?.text else { return (nil, 0) }
        return (cutter.newestEnd ?? tracks[track.value].end?.boundary.media, cutter.cues.count)
    }
}
