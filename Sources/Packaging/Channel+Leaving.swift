import Logging
import MediaCore
import Presentation
import Synchronization

/// Tracks and renditions that come and go while the channel is on air.
extension Channel {
    /// Tells the segmenter which of a position's inputs have its tracks, as far as inputs are there.
    func announceSources(at position: Int, _ state: inout State) {
        let inputs = configuration.inputs.filter { $0.position == position }
        for place in state.plans.indices where state.plans[place].position == position {
            let sources = inputs.filter { state.places[$0]?.values.contains(place) ?? false }.map(\.rank)
            state.segmenter.setSources(Set(sources), of: place)
        }
    }

    /// Says which tracks of an input that was there before are new, and which are gone.
    ///
    /// - Parameters:
    ///   - input: Whose tracks they are.
    ///   - claimed: Its tracks, and their places.
    ///   - before: Places of those that it had.
    ///   - state: The channel's.
    func noteTracks(
        of input: InputID,
        _ claimed: [(track: InputTrack, place: Int)],
        before: Set<Int>,
        _ state: borrowing State
    ) {
        for (track, place) in claimed where !before.contains(place) {
            let effect =
                state.renditions[place].map { "\($0) is made of it" } ?? "viewers get it from its first whole slot on"
            noteTracks("it now has \(track.label), \(track.codec): \(effect)", of: input)
        }
        for place in before.subtracting(claimed.map(\.place)).sorted() {
            let name = state.renditions[place].map { "\($0)" } ?? "its rendition"
            let effect =
                state.segmenter.isWithdrawn(track: place)
                ? "\(name) has gaps from now on, and leaves the playlists with the last of its media"
                : "another input still has it"
            noteTracks("it no longer has \(state.plans[place].label): \(effect)", of: input)
        }
    }

    private func noteTracks(_ change: String, of input: InputID) {
        logger.notice("tracks changed", metadata: ["input": "\(input)", "change": "\(change)"])
        note(.tracks, "\(change.prefix(1).uppercased())\(change.dropFirst()).", input: input)
    }

    /// Leaves out renditions that no input has, once nothing that is listed is media of them: each would be a gap for ever.
    ///
    /// A peer that was there all the time goes on with such a rendition, so who joins that does, too.
    func dropForsaken(_ state: inout State) {
        guard state.joining == nil else { return }
        let renditions = state.renditions
        let forsaken = renditions.indices.filter { place in
            guard let id = renditions[place], state.hasNoInput(place) else { return false }
            return presentation.isForsaken(id)
        }
        if forsaken.isEmpty { return }
        for place in forsaken {
            state.forget(place)
            guard let id = renditions[place] else { continue }
            logger.notice("rendition left", metadata: ["rendition": "\(id)", "why": "no input has it"])
            note(
                .tracks,
                "No input has it, and its last media is out of the window: it has left the playlists.",
                rendition: id
            )
        }
        state.mustDeclare = true
    }
}

extension Channel.State {
    /// Places whose renditions have left, and that no feed, not even one that is away, was the last to have.
    var vacant: Set<Int> { left.subtracting(places.values.joined().map(\.value)) }

    /// Whether a place's inputs have said that they do not have it, or have broken off; before they are there nobody knows.
    fileprivate borrowing func hasNoInput(_ place: Int) -> Bool {
        if segmenter.isWithdrawn(track: place) { return true }
        let inputs = places.filter { $0.value.values.contains(place) }.keys
        return !inputs.isEmpty && connected.isDisjoint(with: inputs)
    }

    /// Lets a place begin anew, should a track ever claim it again.
    fileprivate mutating func forget(_ place: Int) {
        segmenter.setSources([], of: place)
        segmenter.lapse(track: place)
        (restored[place], fingerprints[place]) = (nil, nil)
        (renditions[place], packagers[place]) = (nil, nil)
        onAir[place] = .nothing
        left.insert(place)
    }
}
