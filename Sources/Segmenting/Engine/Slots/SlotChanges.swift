import MediaCore
import Playlists

/// The changes that a slot brings, without a line for each rendition that they are of.
struct SlotChanges {
    /// A rendition, or the audio that it carries.
    struct Subject {
        var id: RenditionID
        var kind: MediaKind
        /// True if only the audio in a rendition of video changes.
        var isCarriedAudio: Bool
    }

    /// Renditions, each once and in their order.
    struct Renditions {
        private var subjects: [Subject] = []
        /// The kinds of media.
        private(set) var kinds: Set<MediaKind> = []

        var isEmpty: Bool { subjects.isEmpty }
        var ids: [RenditionID] { subjects.map(\.id) }
        /// True if of a rendition of video, only the audio is meant.
        var hasCarriedAudio: Bool { subjects.contains(where: \.isCarriedAudio) }
        /// The names as a line of the log has them.
        var text: String { ids.map(\.name).joined(separator: " ") }
        /// The names as a sentence has them.
        var list: String {
            subjects.map { ($0.isCarriedAudio ? "the audio of " : "") + $0.id.name }.joined(separator: ", ")
        }

        /// Returns those of some kinds.
        func only(_ isIncluded: (MediaKind) -> Bool) -> Renditions {
            var some = Renditions()
            for subject in subjects where isIncluded(subject.kind) { some.insert(subject) }
            return some
        }

        /// Adds a rendition; one that changes with its audio is added once.
        mutating func insert(_ subject: Subject) {
            kinds.insert(subject.kind)
            let index = subjects.index(where: { $0.id == subject.id }, orAppending: subject)
            if !subject.isCarriedAudio { subjects[index].isCarriedAudio = false }
        }
    }

    /// A change from one input to another.
    struct Switch {
        var from: InputID
        var to: InputID
        var why: String
    }

    /// The renditions that no input has media for any more, by filler; nil is a gap.
    private(set) var losses: [(filler: CutSegment.Filler?, renditions: Renditions)] = []
    /// All lost renditions together.
    private(set) var lost = Renditions()
    private(set) var placesLost: [TrackIndex] = []
    /// The renditions whose segment began with media that no input continued.
    var cutShort = Renditions()
    private(set) var switches: [(change: Switch, renditions: Renditions)] = []
    private(set) var returns: [(input: InputID, back: (renditions: Renditions, losses: [ChannelEngine.Loss?]))] = []

    mutating func lost(_ subject: Subject, to filler: CutSegment.Filler?, at place: TrackIndex) {
        let index = losses.index(where: { $0.filler == filler }, orAppending: (filler, Renditions()))
        losses[index].renditions.insert(subject)
        lost.insert(subject)
        placesLost.append(place)
    }

    /// Adds a rendition that another input fills; the first of several reasons stands for all.
    mutating func switched(_ change: Switch, _ subject: Subject) {
        let index = switches.index(
            where: { $0.change.from == change.from && $0.change.to == change.to },
            orAppending: (change, Renditions())
        )
        switches[index].renditions.insert(subject)
    }

    /// Adds a rendition that has media again; those of one input are one return.
    mutating func returned(_ comeback: ChannelEngine.Comeback, _ subject: Subject) {
        let input = comeback.input
        let index = returns.index(where: { $0.input == input }, orAppending: (input, (Renditions(), [])))
        returns[index].back.renditions.insert(subject)
        returns[index].back.losses.append(comeback.loss)
    }
}

extension Array {
    /// Finds the first element that fits, or appends one.
    ///
    /// - Returns: Its index.
    fileprivate mutating func index(where fits: (Element) -> Bool, orAppending element: Element) -> Int {
        if let index = firstIndex(where: fits) { return index }
        append(element)
        return count - 1
    }
}
