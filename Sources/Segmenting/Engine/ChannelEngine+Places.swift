import Codecs
import ContentProtection
import Logging
package import MediaCore
import Operations
import Playlists
import Timeline

/// Which track of which input goes where.
extension ChannelEngine {
    /// All inputs are open, or enough waited for: the channel's tracks are those that are there now.
    mutating func start() {
        guard feeds.contains(where: { $0.opened != nil }) else { return }
        hasStarted = true
        for feed in feeds.range {
            if let tracks = feeds[feed.value].opened { _ = claim(tracks, of: feed) }
        }
        addSubtitles()
        carryAudio()
        // Of inputs that are not there, too, it is only known now.
        for position in Set(renditions.map(\.plan.position)) { announceSources(at: position) }
        for input in configuration.inputs
        where input.rank == 0 && !feeds.contains(where: { $0.id == input && $0.opened != nil }) {
            report("it did not open in time: the channel starts without it", input: input)
        }
        leaveAbandoned()
    }

    /// In transport streams one picture and one audio share their segments, which is what the oldest players expect.
    private mutating func carryAudio() {
        guard configuration.format.joinsAudioToPictures else { return }
        let videos = renditions.range.filter { renditions[$0.value].plan.kind == .video }
        let audio = renditions.range.filter {
            renditions[$0.value].plan.kind == .audio && renditions[$0.value].id == nil
        }
        guard videos.count == 1, let video = videos.first, let first = audio.first else { return }
        // What an earlier run, or a peer, has published goes on as it was.
        let published = renditions[video.value].restored?.description.codecs.count
        let hasOne = renditions.count { $0.plan.kind == .audio } == 1
        guard published.map({ $0 > 1 }) ?? hasOne else { return }
        renditions[first.value].plan.carrier = video
    }

    /// Gives an input's tracks their places, once the channel has any.
    mutating func findPlaces(of feed: FeedIndex) {
        guard hasStarted else { return }
        let count = renditions.count
        let places = claim(feeds[feed.value].described, of: feed)
        feeds[feed.value].renditionCount = count
        let before = feeds[feed.value].tracks ?? [:]
        var tracks: [Int: Feed.Track] = [:]
        for (track, place) in places where !feeds[feed.value].unreadable.contains(track.index) {
            if var old = before[track.index], old.description.isReadLike(track), old.place == place {
                old.description = track
                tracks[track.index] = old
            } else {
                tracks[track.index] = Feed.Track(description: track, place: place)
            }
        }
        feeds[feed.value].tracks = tracks
        feeds[feed.value].leader =
            tracks.values.map(\.description).min {
                ($0.kind.leadership, $0.index) < ($1.kind.leadership, $1.index)
            }?.index
    }

    /// Finds the places of an input's tracks, and makes those that are missing where it may say what the channel has.
    private mutating func claim(_ tracks: [InputTrack], of feed: FeedIndex) -> [(track: InputTrack, place: TrackIndex)]
    {
        let carriage = configuration.carriage
        let input = feeds[feed.value].id
        var rest = tracks.filter { carriage.verdict(on: $0).isCarried }
        var free = positions[input.position] ?? []
        let before = feeds[feed.value].places
        let mayAdd = mayAdd(input)
        var claimed: [(track: InputTrack, place: TrackIndex)] = []
        // A track goes on as what it was. A reopened container may number and order its tracks differently: the language
        // tells them apart then; where it says nothing, or something else of the same track, the codec does.
        for match in Match.allCases {
            rest.removeAll { track in
                let place = free.first { place in
                    let plan = renditions[place.value].plan
                    guard plan.kind == track.kind, plan.inputCodec.map({ $0 == track.codec }) ?? true,
                        track.service == nil || plan.saysTheSame(as: track)
                    else { return false }
                    let isSame = before?[track.index] == place
                    return switch match {
                    case .trackAndLanguage: isSame && plan.inputLanguage == track.language
                    case .language: plan.inputLanguage == track.language
                    case .codec: isSame || plan.inputLanguage == nil || track.language == nil
                    }
                }
                guard let place else { return false }
                free.removeAll { $0 == place }
                renditions[place.value].hasLeft = false
                claimed.append((track, place))
                return true
            }
        }
        // What is the audio of another rung is neither added nor missed.
        let isRung = tracks.contains { $0.kind == .video }
        for track in rest {
            if isRung, isHeard(RenditionPlan(track), besides: input.position) {
                if feeds[feed.value].said.insert("\(track.label) is heard").inserted {
                    log(.info, "audio of another rung", input, ["left out": "\(track.label)"])
                }
                continue
            }
            // Who stands by for an input that has lost a track since goes on with what was published of it.
            if mayAdd || isRestored(track, at: input.position) {
                claimed.append((track, add(track, of: tracks, at: input.position)))
            } else if feeds[feed.value].said.insert("\(track.label) \(track.codec)").inserted {
                report("it is not used for \(track.label): \(mismatch(of: track, free))", input: input)
            }
        }
        for place in free where before == nil {
            report("it has nothing that could fill \(renditions[place.value].plan.label)", input: input)
        }
        feeds[feed.value].places = Dictionary(claimed.map { ($0.track.index, $0.place) }) { first, _ in first }
        if hasStarted { announceSources(at: input.position) }
        if let before { noteTracks(of: input, claimed, before: Set(before.values)) }
        return claimed.sorted { $0.track.index < $1.track.index }
    }

    /// How a track and a place are told to belong together.
    private enum Match: CaseIterable {
        case trackAndLanguage, language, codec
    }

    private func mismatch(of track: InputTrack, _ free: [TrackIndex]) -> String {
        let alike = free.map { renditions[$0.value].plan }.filter { $0.kind == track.kind }
        guard !alike.isEmpty else { return "the input that it stands by for has no such track, or no more of them" }
        let languages = alike.map { $0.inputLanguage ?? "none" }.joined(separator: ", ")
        return "its language is \(track.language ?? "none"), and what it could stand by for has \(languages)"
    }

    /// Whether another input has brought the same audio, or an earlier one has in an earlier run.
    private func isHeard(_ plan: RenditionPlan, besides position: Int) -> Bool {
        let taken = positions.filter { $0.key != position }.values.joined()
        let vacant = vacant
        return renditions.range.contains { place in
            !vacant.contains(place) && renditions[place.value].plan.isSame(as: plan)
                && (renditions[place.value].plan.position < position || taken.contains(place))
        }
    }

    /// Whether an input may say what the channel has: a backup may while no better one is there to say it.
    private func mayAdd(_ input: InputID) -> Bool {
        positions[input.position] == nil
            || !feeds.contains {
                $0.isConnected && $0.id.position == input.position && $0.id.rank < input.rank
            }
    }

    /// Makes a place, or takes one that an earlier run has left.
    ///
    /// - Parameters:
    ///   - track: What is to have it.
    ///   - tracks: All tracks of its input, carried or not.
    ///   - position: The input's.
    /// - Returns: The place.
    private mutating func add(_ track: InputTrack, of tracks: [InputTrack], at position: Int) -> TrackIndex {
        // Attributes are counted by the tracks of the feeds; what is made of one has the same.
        let audio = tracks.filter { $0.kind == .audio && $0.transcodedFrom == nil }
        audioTrackCounts[position] = max(audioTrackCounts[position] ?? 0, audio.count)
        let earlier = audioTrackCounts.reduce(0) { $0 + ($1.key < position ? $1.value : 0) }
        let number = earlier + audio.count { $0.index < track.transcodedFrom ?? track.index }
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

    /// Whether an earlier run has published a track of that kind and language that no input has claimed.
    private func isRestored(_ track: InputTrack, at position: Int) -> Bool {
        let plan = plan(of: track)
        let place = restoredPlace(for: plan, of: track, at: position)
        return place.map { renditions[$0.value].plan.language == plan.language } ?? false
    }

    /// A place that an earlier run has left, and that nothing has claimed.
    private func restoredPlace(for plan: RenditionPlan, of track: InputTrack, at position: Int) -> TrackIndex? {
        let left = renditions.range.filter { place in
            guard let restored = renditions[place.value].restored, !restored.isClaimed else { return false }
            let description = restored.description
            return description.kind == plan.kind && description.input == position
                && description.format == plan.format && track.codec.isNamed(by: description.codecs.first ?? "")
        }
        let alike = left.first { renditions[$0.value].restored?.description.language == plan.language }
        guard plan.kind.isSparse else { return alike ?? left.first }
        // Of text there may be several of a language, and one of another language is another.
        return left.first { renditions[$0.value].restored.map { plan.isDescribed(by: $0.description) } ?? false }
    }

    private mutating func add(_ plan: RenditionPlan, of track: InputTrack, at position: Int) -> TrackIndex {
        let place: TrackIndex
        if let restored = restoredPlace(for: plan, of: track, at: position) {
            place = restored
            renditions[place.value].restored?.isClaimed = true
            renditions[place.value].plan.takeOver(plan)
            mustDeclare = true
        } else if let vacant = vacantPlace(for: plan, at: position) {
            place = vacant
            renditions[place.value].hasLeft = false
            renditions[place.value].plan = plan
        } else {
            place = add(plan, sourceCount: configuration.sourceCount(of: position))
            if isRestoredMuxed(track, at: position) { segmenter.resume(track: place) }
        }
        renditions[place.value].plan.position = position
        if positions[position]?.contains(place) != true { positions[position, default: []].append(place) }
        // What an operator has said of an input goes for all of it.
        if let held = held[position] { segmenter.select(source: held.rank, track: place, holds: true) }
        return place
    }

    mutating func add(_ plan: RenditionPlan, sourceCount: Int) -> TrackIndex {
        renditions.append(Rendition(plan: plan, keyClass: configuration.keyClasses.ofAll(plan.kind)))
        return segmenter.addTrack(plan.kind, sourceCount: sourceCount)
    }

    /// What comes back is where it was, and so leads, or does not, as it does for a peer that was there all the time.
    private func vacantPlace(for plan: RenditionPlan, at position: Int) -> TrackIndex? {
        vacant.filter { renditions[$0.value].plan.kind == plan.kind && renditions[$0.value].plan.position == position }
            .min()
    }
}

extension InputTrack {
    var label: String { "\(kind) track \(index)" + (language.map { " (\($0))" } ?? "") }

    /// Whether one reader can read both: the frame rate is an estimate that changes nothing.
    package func isReadLike(_ other: InputTrack) -> Bool {
        index == other.index && codec == other.codec && header == other.header
    }
}
