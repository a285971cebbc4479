import Logging
import MediaCore
import Operations
import Playlists

/// Tracks and renditions that come and go while the channel is on air.
extension ChannelEngine {
    /// Tells the segmenter which of a position's connected inputs have its tracks.
    mutating func announceSources(at position: InputPosition) {
        let isOfInputs = { (plan: RenditionPlan) in plan.position == position && plan.subtitles == nil }
        for place in renditions.indices where isOfInputs(renditions[place].plan) {
            segmenter.setSources(inputs.sources(of: place, at: position), of: place)
        }
    }

    /// Reports new and missing tracks of an input.
    ///
    /// - Parameters:
    ///   - input: The input whose tracks they are.
    ///   - claimed: Its tracks, and their places.
    ///   - before: The places of the tracks that it had.
    mutating func noteTracks(
        of input: InputID,
        _ claimed: [(track: InputTrack, place: TrackIndex)],
        before: Set<TrackIndex>
    ) {
        for (track, place) in claimed where !before.contains(place) {
            let effect =
                renditions[place].id.map { "\($0) is made of it" }
                ?? "viewers get it once a segment is made of it"
            noteTracks("it now has \(track.label), \(track.codec): \(effect)", of: input)
        }
        for place in before.subtracting(claimed.map(\.place)).sorted() {
            let name = renditions[place].id.map { "\($0)" } ?? "its rendition"
            let effect =
                segmenter.isWithdrawn(track: place)
                ? "\(name) has gaps from now on, and leaves the playlists with the last of its media"
                : "another input still has it"
            noteTracks("it no longer has \(renditions[place].plan.label): \(effect)", of: input)
        }
    }

    private mutating func noteTracks(_ change: String, of input: InputID) {
        guard inputs[feed(input)].changes.admits(at: now) else { return }
        log(.notice, "tracks changed", input, ["change": "\(change)"])
        note(.tracks, "\(change.prefix(1).uppercased())\(change.dropFirst()).", input: input)
    }

    /// Leaves out renditions that no input has, once none of their media is listed: each would remain a gap.
    ///
    /// A peer that never stopped continues with such a rendition, so a packager that joins it continues with it, too.
    mutating func leaveAbandoned() {
        guard joining == nil else { return }
        for place in renditions.indices where hasNoInput(place) {
            guard let id = renditions[place].id, ledger.leave(id) else { continue }
            leave(place)
            let metadata: Logger.Metadata = [
                "rendition": "\(id)", "why": "no input has it any more, and its last media has left the window",
            ]
            log(.notice, "rendition has left the playlists", metadata)
            note(
                .tracks,
                "No input has it any more, and its last media has left the window: it has left the playlists.",
                renditions: [id]
            )
        }
    }

    /// Removes a rendition that is listed no longer: its place begins anew, should a track ever claim it again.
    mutating func leave(_ place: TrackIndex) {
        segmenter.setSources([], of: place)
        segmenter.lapse(track: place)
        renditions.leave(place)
    }

    /// Notes a segment that could not be written, so that other renditions and later slots are not affected.
    mutating func notWritten(
        _ id: RenditionID,
        _ slot: MediaSequenceNumber,
        _ fallback: SlotDecision.Fallback,
        because reason: String
    ) {
        watches.repairs.record(RepairLog.unpublishableSegment)
        let isLeftOut = ledger.notWritten(id, in: slot, fallback)
        guard let place = renditions.firstIndex(where: { $0.id == id }) else { return }
        if renditions[place].onAir != .gap {
            renditions[place].onAir = .gap
            note(.gap, "Its segment is a gap: \(reason).", renditions: [id], slot: slot)
            let metadata: Logger.Metadata = [
                "rendition": "\(id)", "slot": .number(Int(slot.value)), "why": "\(reason)",
                "viewers": "they get a gap there",
                "do": "nothing, unless it recurs: then act on why",
            ]
            log(.warning, "segment not published", metadata)
        }
        if isLeftOut {
            report(
                "\(id) is left out until it can be written: \(reason)",
                .notWritten,
                input: .input(at: renditions[place].plan.position)
            )
        }
    }

    /// The places whose renditions have left, and that no feed has or had last before it broke off.
    var vacant: Set<TrackIndex> {
        let left = renditions.indices.filter { renditions[$0].hasLeft }
        if left.isEmpty { return [] }
        return Set(left).subtracting(inputs.places)
    }

    /// Returns true if a place's inputs lack its track or have broken off; false while one has not been open yet.
    private func hasNoInput(_ place: TrackIndex) -> Bool {
        segmenter.isWithdrawn(track: place) || inputs.haveLost(place)
    }
}
