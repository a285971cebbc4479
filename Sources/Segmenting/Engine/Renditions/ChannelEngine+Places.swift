import Codecs
import ContentProtection
import Logging
package import MediaCore
import Operations
import Playlists
import Timeline

/// The places of the inputs' tracks.
extension ChannelEngine {
    /// Starts the channel with the tracks known now: all inputs are open, or the wait for them is over.
    mutating func start() {
        guard inputs.feeds.contains(where: { $0.opened != nil }) else { return }
        inputs.hasStarted = true
        let known = knownPositions
        for feed in inputs.range {
            if let tracks = inputs[feed].opened { _ = claim(tracks, of: feed) }
        }
        addSubtitles()
        if configuration.format.joinsAudioToPictures { renditions.carryAudio(isStart: true) }
        // Absent inputs are known only now, too.
        for position in Set(renditions.map(\.plan.position)) { announceSources(at: position) }
        for input in configuration.inputs where input.rank == .primary {
            // The channel did not wait for inputs whose tracks it knows: they have their time from now on.
            if known.contains(input.position) { inputs.awaited.append(input) } else { reportAbsent(input) }
        }
        leaveAbandoned()
    }

    /// Reports inputs that should have opened soon after the start, and have not.
    mutating func reportUnopened() {
        for input in inputs.takeOverdue(at: now) { reportAbsent(input) }
    }

    private mutating func reportAbsent(_ input: InputID) {
        if inputs.feeds.contains(where: { $0.id == input && ($0.opened != nil || $0.hasOpened) }) { return }
        report("it did not open in time: the channel starts without it", .absent, input: input)
    }

    /// Gives an input's tracks their places, once the channel has any.
    mutating func findPlaces(of feed: FeedIndex) {
        guard inputs.hasStarted else { return }
        let count = renditions.count
        let places = claim(inputs[feed].described, of: feed)
        if configuration.format.joinsAudioToPictures { renditions.carryAudio(isStart: false) }
        inputs[feed].renditionCount = count
        let before = inputs[feed].tracks ?? [:]
        var tracks: [InputTrackIndex: Feed.Track] = [:]
        for (track, place) in places where !inputs[feed].unreadable.contains(track.index) {
            if var old = before[track.index], old.description.isReadLike(track), old.place == place {
                old.description = track
                tracks[track.index] = old
            } else {
                tracks[track.index] = Feed.Track(description: track, place: place)
            }
        }
        inputs[feed].tracks = tracks
        inputs[feed].leader =
            tracks.values.map(\.description).min {
                ($0.kind.leadership, $0.index) < ($1.kind.leadership, $1.index)
            }?.index
    }

    /// Finds the places of an input's tracks, and makes the missing ones if the input may define renditions.
    private mutating func claim(_ tracks: [InputTrack], of feed: FeedIndex) -> [RenditionTable.Claim] {
        let carriage = configuration.carriage
        let input = inputs[feed].id
        let before = inputs[feed].places
        let mayAdd = mayAdd(input)
        var rest = tracks.filter { carriage.verdict(on: $0).isCarried }
        var free = renditions.positions[input.position] ?? []
        var claimed = renditions.match(&rest, with: &free, before: before)
        claimed += addMissing(rest, among: tracks, of: feed, mayAdd: mayAdd, free)
        for place in free where before == nil {
            report(
                "it has no track for \(renditions[place].plan.label): viewers get gaps of that while this input is on air",
                .nothingToFill,
                input: input
            )
        }
        inputs[feed].places = Dictionary(claimed.map { ($0.track.index, $0.place) }) { first, _ in first }
        if inputs.hasStarted { announceSources(at: input.position) }
        if let before { noteTracks(of: input, claimed, before: Set(before.values)) }
        return claimed.sorted { $0.track.index < $1.track.index }
    }

    /// The most places for tracks of an input and its backups.
    private static let mostTracks = 64

    /// Returns true if a track can have a place: one of the past, or a new one.
    private func hasRoom(for track: InputTrack, at position: InputPosition) -> Bool {
        let plan = plan(of: track)
        return renditions.positions[position]?.count ?? 0 < Self.mostTracks
            || renditions.restoredPlace(for: plan, of: track, at: position) != nil
            || renditions.vacantPlace(for: plan, at: position, among: vacant) != nil
    }

    /// Frees a place that was made for a track of which nothing ever came.
    ///
    /// - Returns: False if there is none.
    private mutating func freeUnused(_ kind: MediaKind, at position: InputPosition) -> Bool {
        let taken = inputs.places
        let unused = renditions.indices.first { place in
            let rendition = renditions[place]
            return rendition.plan.position == position && rendition.plan.kind == kind && rendition.id == nil
                && rendition.restored == nil && rendition.plan.subtitles == nil && rendition.plan.carrier == nil
                && !taken.contains(place)
        }
        guard let unused else { return false }
        leave(unused)
        return true
    }

    /// Makes places for tracks that have none, and reports why others get none.
    ///
    /// - Parameters:
    ///   - rest: The tracks that have no place.
    ///   - tracks: All tracks of their input, carried or not.
    ///   - feed: The feed that brings them.
    ///   - mayAdd: True if the input may define renditions of the channel.
    ///   - free: The places of the input's position that no track of it has.
    /// - Returns: The tracks that get a place.
    private mutating func addMissing(
        _ rest: [InputTrack],
        among tracks: [InputTrack],
        of feed: FeedIndex,
        mayAdd: Bool,
        _ free: [TrackIndex]
    ) -> [RenditionTable.Claim] {
        let input = inputs[feed].id
        var claimed: [RenditionTable.Claim] = []
        // The audio of another rung is neither added nor missed.
        let isRung = tracks.contains { $0.kind == .video }
        for track in rest {
            if isRung, renditions.isHeard(RenditionPlan(track), besides: input.position, vacant: vacant) {
                if inputs[feed].mustSay("\(track.label) is heard") {
                    log(
                        .info,
                        "audio of several inputs is the same, the first is used",
                        input,
                        ["left out": "\(track.label)"]
                    )
                }
                continue
            }
            // A backup of an input that has lost a track since continues the track's rendition.
            if mayAdd || renditions.isRestored(track, as: plan(of: track), at: input.position) {
                guard hasRoom(for: track, at: input.position) || freeUnused(track.kind, at: input.position) else {
                    let problem = "it has had more than \(Self.mostTracks) tracks: others are not published"
                    reportOnce(problem, .notUsed, feed)
                    continue
                }
                claimed.append((track, add(track, of: tracks, at: input.position)))
            } else if inputs[feed].mustSay("\(track.label) \(track.codec)") {
                let problem = "it is not used for \(track.label): \(renditions.mismatch(of: track, free))"
                report(problem, .notUsed, input: input)
            }
        }
        return claimed
    }

    /// Returns true if an input may define renditions of the channel: a backup may only while no better input is open.
    private func mayAdd(_ input: InputID) -> Bool {
        renditions.positions[input.position] == nil || !inputs.hasBetter(than: input)
    }

    /// Makes a place, or takes a free one of an earlier run.
    ///
    /// - Parameters:
    ///   - track: The track that is to have it.
    ///   - tracks: All tracks of its input, carried or not.
    ///   - position: The position of its input.
    /// - Returns: The place.
    private mutating func add(_ track: InputTrack, of tracks: [InputTrack], at position: InputPosition) -> TrackIndex {
        let number = renditions.audioNumber(of: track, among: tracks, at: position)
        let isDescribed = track.kind == .audio && number < configuration.audio.count
        let attributes = isDescribed ? configuration.audio[number] : AudioAttributes()
        return add(plan(of: track, attributes), of: track, at: position)
    }

    private func plan(of track: InputTrack, _ attributes: AudioAttributes = AudioAttributes()) -> RenditionPlan {
        var plan = RenditionPlan(track, attributes: attributes)
        if case .carried(let format, _) = configuration.carriage.verdict(on: track) { plan.format = format }
        if track.kind == .video { plan.captions = configuration.captions }
        if let service = track.service, let said = configuration.feedText.first(where: { $0.service == service }) {
            plan.describe(by: said)
        }
        return plan
    }

    private mutating func add(_ plan: RenditionPlan, of track: InputTrack, at position: InputPosition) -> TrackIndex {
        let place: TrackIndex
        if let restored = renditions.restoredPlace(for: plan, of: track, at: position) {
            place = restored
            renditions.resume(with: place, as: plan)
        } else if let left = renditions.vacantPlace(for: plan, at: position, among: vacant) {
            place = left
            renditions[place].hasLeft = false
            renditions[place].plan = plan
        } else {
            place = add(plan, sourceCount: configuration.sourceCount(of: position))
            if renditions.isRestoredMuxed(track, at: position) { segmenter.resume(track: place) }
        }
        renditions.assign(place, to: position)
        // An operator's choice of an input holds for all of its tracks.
        if let held = choices.held(at: position) { segmenter.select(source: held.rank, track: place, holds: true) }
        return place
    }

    mutating func add(_ plan: RenditionPlan, sourceCount: Int) -> TrackIndex {
        renditions.append(Rendition(plan: plan, keyClass: configuration.keyClasses.ofAll(plan.kind)))
        return segmenter.addTrack(plan.kind, sourceCount: sourceCount)
    }
}

extension InputTrack {
    var label: String { "\(kind) track \(index)" + (language.map { " (\($0))" } ?? "") }

    /// Returns true if one reader can read both: the frame rate is an estimate that changes nothing.
    package func isReadLike(_ other: InputTrack) -> Bool {
        index == other.index && codec == other.codec && header == other.header
    }
}
