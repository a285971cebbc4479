import Codecs
import MediaCore
import Playlists

/// Places for the tracks of inputs.
extension RenditionTable {
    /// A track and its place.
    typealias Claim = (track: InputTrack, place: TrackIndex)

    /// The ways in which a track and a place are found to belong together, the best first.
    private enum Match: CaseIterable {
        case trackAndLanguage, language, codec
    }

    /// Gives tracks their former places, or places of similar tracks.
    ///
    /// A track continues in its rendition. A reopened container may number and order its tracks differently, and the
    /// language then distinguishes them. If the language is missing or has changed, the codec decides.
    ///
    /// - Parameters:
    ///   - tracks: The tracks of an input; those that get a place are removed.
    ///   - free: The places of the input's position; those that are given are removed.
    ///   - before: The places that the input's tracks had, by the container's track index; nil before it has had any.
    /// - Returns: The tracks that get a place.
    mutating func match(
        _ tracks: inout [InputTrack],
        with free: inout [TrackIndex],
        before: [InputTrackIndex: TrackIndex]?
    ) -> [Claim] {
        var claimed: [Claim] = []
        for match in Match.allCases {
            var rest: [InputTrack] = []
            for track in tracks {
                let found = free.first { fits(track, $0, by: match, isSame: before?[track.index] == $0) }
                guard let place = found else {
                    rest.append(track)
                    continue
                }
                free.removeAll { $0 == place }
                self[place].hasLeft = false
                claimed.append((track, place))
            }
            tracks = rest
        }
        return claimed
    }

    private func fits(_ track: InputTrack, _ place: TrackIndex, by match: Match, isSame: Bool) -> Bool {
        let plan = self[place].plan
        guard plan.kind == track.kind, plan.mayHaveCodec(of: track),
            track.service == nil || plan.hasSameContent(as: track)
        else { return false }
        return switch match {
        case .trackAndLanguage: isSame && plan.inputLanguage == track.language
        case .language: plan.inputLanguage == track.language
        case .codec: isSame || plan.inputLanguage == nil || track.language == nil
        }
    }

    /// Returns the reason why a track gets none of the places that are free.
    func mismatch(of track: InputTrack, _ free: [TrackIndex]) -> String {
        let ofKind = free.map { self[$0].plan }.filter { $0.kind == track.kind }
        guard !ofKind.isEmpty else { return "the input that it stands by for has no more tracks of this kind" }
        let alike = ofKind.filter { $0.mayHaveCodec(of: track) }
        guard !alike.isEmpty else {
            let codecs = ofKind.compactMap { plan in plan.inputCodec.map { "\($0)" } }.joined(separator: ", ")
            return "its codec is \(track.codec), and that of the tracks that it could stand by for is \(codecs)"
        }
        let languages = alike.map { $0.inputLanguage ?? "none" }.joined(separator: ", ")
        return
            "its language is \(track.language ?? "none"), and that of the tracks that it could stand by for is \(languages)"
    }

    /// Returns true if another input has brought the same audio, or an earlier one has in an earlier run.
    func isHeard(_ plan: RenditionPlan, besides position: InputPosition, vacant: Set<TrackIndex>) -> Bool {
        let taken = positions.filter { $0.key != position }.values.joined()
        return indices.contains { place in
            !vacant.contains(place) && self[place].plan.isSame(as: plan)
                && (self[place].plan.position < position || taken.contains(place))
        }
    }

    /// Returns true if an earlier run has published a track of that kind and language that no input has claimed.
    func isRestored(_ track: InputTrack, as plan: RenditionPlan, at position: InputPosition) -> Bool {
        let place = restoredPlace(for: plan, of: track, at: position)
        return place.map { self[$0].plan.language == plan.language } ?? false
    }

    /// Returns true if an earlier run has published audio of that codec in the segments of the input's video.
    func isRestoredMuxed(_ track: InputTrack, at position: InputPosition) -> Bool {
        track.kind == .audio
            && contains { rendition in
                guard let description = rendition.restored?.description else { return false }
                return description.kind == .video && description.input == position.value
                    && description.codecs.dropFirst().contains(where: track.codec.isNamed)
            }
    }

    /// Returns the place that an earlier run has left, and that nothing has claimed.
    func restoredPlace(for plan: RenditionPlan, of track: InputTrack, at position: InputPosition) -> TrackIndex? {
        let left = indices.filter { place in
            guard let restored = self[place].restored, !restored.isClaimed else { return false }
            let description = restored.description
            return description.kind == plan.kind && description.input == position.value
                && description.format == plan.format && track.codec.isNamed(by: description.codecs.first ?? "")
        }
        let alike = left.first { self[$0].restored?.description.language == plan.language }
        guard plan.kind.isSparse else { return alike ?? left.first }
        // A language may have several subtitle tracks; a track of another language never matches.
        return left.first { self[$0].restored.map { plan.isDescribed(by: $0.description) } ?? false }
    }

    /// Returns the place of a track that comes back.
    ///
    /// The track returns to its old place, so that this packager and a peer that never stopped have the same leader.
    func vacantPlace(for plan: RenditionPlan, at position: InputPosition, among vacant: Set<TrackIndex>) -> TrackIndex?
    {
        vacant.filter { self[$0].plan.kind == plan.kind && self[$0].plan.position == position }.min()
    }

    /// Puts the audio into the segments of the video, if there is one of each: the oldest players expect that of
    /// transport streams.
    ///
    /// - Parameter isStart: False if the audio comes later: then only a video of an earlier run carries it.
    mutating func carryAudio(isStart: Bool) {
        let videos = indices.filter { self[$0].plan.kind == .video }
        let audio = indices.filter { self[$0].plan.kind == .audio }
        if audio.contains(where: { self[$0].plan.carrier != nil }) { return }
        let hasOneOfEach = isStart && videos.count == 1 && audio.count == 1
        // A rendition that an earlier run or a peer has published keeps its form.
        let carrier = videos.first { self[$0].hasCarriedAudio || self[$0].restored == nil && hasOneOfEach }
        guard let carrier, let first = audio.first else { return }
        self[first].plan.carrier = carrier
        self[first].plan.isAlsoSeparate = self[first].id != nil
    }
}

extension RenditionPlan {
    /// Returns true if a track has the codec of its input, or if that is not known.
    fileprivate func mayHaveCodec(of track: InputTrack) -> Bool { inputCodec.map { $0 == track.codec } ?? true }
}
