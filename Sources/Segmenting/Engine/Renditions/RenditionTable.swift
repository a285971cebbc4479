import MediaCore
import Playlists

/// The renditions of a channel, by the places of their tracks, and the positions that the places belong to.
struct RenditionTable: RandomAccessCollection, Sendable {
    typealias Element = ChannelEngine.Rendition
    typealias Index = TrackIndex
    typealias Indices = Range<TrackIndex>

    private var renditions: [ChannelEngine.Rendition] = []
    /// The places that belong to each position.
    private(set) var positions: [InputPosition: [TrackIndex]] = [:]
    /// The numbers of the feeds' audio tracks, by position.
    private var audioTrackCounts: [InputPosition: Int] = [:]
    /// True if renditions must be declared before the next slot, even if it has no new ones.
    var mustDeclare = false

    var startIndex: TrackIndex { TrackIndex(0) }
    var endIndex: TrackIndex { TrackIndex(renditions.count) }

    subscript(_ place: TrackIndex) -> ChannelEngine.Rendition {
        _read { yield renditions[place.value] }
        _modify { yield &renditions[place.value] }
    }

    mutating func append(_ rendition: ChannelEngine.Rendition) { renditions.append(rendition) }

    /// Returns the places of declared subtitles, one for each format.
    func places(ofSubtitles subtitles: Int) -> [TrackIndex] { indices.filter { self[$0].plan.subtitles == subtitles } }

    /// Returns true if any slot is filled from an input now.
    func isOnAir(_ input: InputID) -> Bool { contains { $0.onAir == .input(input) } }

    /// Returns the place of the audio in the segments of a video; nil if they have none.
    func audio(in video: TrackIndex) -> TrackIndex? { indices.first { self[$0].plan.carrier == video } }

    /// Returns the form of a place's segments.
    func form(of place: TrackIndex, in container: StreamFormat) -> SegmentForm {
        let plan = self[place].plan
        let audio = audio(in: place).map { self[$0].plan }
        return SegmentForm(
            kind: plan.kind,
            format: plan.format,
            container: container,
            language: plan.language,
            carriesAudio: audio != nil,
            audioLanguage: audio?.language
        )
    }

    /// Notes the choice of an input that is not on air yet.
    ///
    /// - Returns: The places that belong to its position.
    mutating func choose(_ input: InputID) -> [TrackIndex] {
        let places = positions[input.position] ?? []
        for place in places { self[place].chosen = input }
        return places
    }

    /// Lets a place belong to a position.
    mutating func assign(_ place: TrackIndex, to position: InputPosition) {
        self[place].plan.position = position
        if positions[position]?.contains(place) != true { positions[position, default: []].append(place) }
    }

    /// Counts a track among the audio tracks of all feeds, in the order in which attributes are configured.
    ///
    /// Audio that is made of a track has the number of that track.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - tracks: All tracks of its input, carried or not.
    ///   - position: The position of the input.
    /// - Returns: Its number.
    mutating func audioNumber(of track: InputTrack, among tracks: [InputTrack], at position: InputPosition) -> Int {
        let audio = tracks.filter { $0.kind == .audio && $0.transcodedFrom == nil }
        audioTrackCounts[position] = Swift.max(audioTrackCounts[position] ?? 0, audio.count)
        let earlier = audioTrackCounts.reduce(0) { $0 + ($1.key < position ? $1.value : 0) }
        return earlier + audio.count { $0.index < track.transcodedFrom ?? track.index }
    }

    /// Continues with the rendition of an earlier run.
    mutating func resume(with place: TrackIndex, as plan: RenditionPlan) {
        self[place].restored?.isClaimed = true
        self[place].plan.takeOver(plan)
        mustDeclare = true
    }

    /// Lets a rendition leave that is listed no longer: its place begins anew, should a track ever claim it again.
    mutating func leave(_ place: TrackIndex) {
        self[place].restored = nil
        self[place].id = nil
        self[place].formerInput = nil
        self[place].hasCarriedAudio = false
        self[place].onAir = .nothing
        self[place].isAwaited = false
        self[place].loss = nil
        self[place].comeback = nil
        self[place].hasLeft = true
        mustDeclare = true
        // Should it come back, its audio has been a rendition of its own meanwhile.
        for audio in indices where self[audio].plan.carrier == place && self[audio].plan.isAlsoSeparate {
            self[audio].plan.carrier = nil
            self[audio].plan.isAlsoSeparate = false
            self[audio].isDeclaredAudio = false
        }
    }
}
