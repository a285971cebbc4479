import MediaCore
import Playlists

/// The changes that a slot brings, without a line for each rendition that they are of.
struct SlotChanges {
    /// Renditions, each once and in their order.
    struct Renditions {
        private var entries: [(id: RenditionID, isAudioAlone: Bool)] = []

        var isEmpty: Bool { entries.isEmpty }
        var ids: [RenditionID] { entries.map(\.id) }
        /// As a line of the log names them.
        var text: String { ids.map(\.name).joined(separator: " ") }
        /// As a sentence names them.
        var list: String {
            entries.map { ($0.isAudioAlone ? "the audio of " : "") + $0.id.name }.joined(separator: ", ")
        }

        /// - Parameters:
        ///   - id: The rendition.
        ///   - isCarriedAudio: It is the audio in a rendition of video that changes.
        mutating func insert(_ id: RenditionID, isCarriedAudio: Bool = false) {
            if let index = entries.firstIndex(where: { $0.id == id }) {
                if !isCarriedAudio { entries[index].isAudioAlone = false }
            } else {
                entries.append((id, isCarriedAudio))
            }
        }
    }

    /// A rendition, or the audio that it carries.
    struct Subject {
        var id: RenditionID
        var isCarriedAudio: Bool
    }

    /// One input gives way to another.
    struct Switch {
        var from: InputID
        var to: InputID
        var why: String
    }

    /// Renditions that have media for the first time.
    var begun = Renditions()
    /// Renditions that no input has media for any more, by what stands in; nil is a gap.
    private(set) var losses: [(filler: CutSegment.Filler?, renditions: Renditions)] = []
    private(set) var positionsLost: Set<Int> = []
    private(set) var switches: [(change: Switch, renditions: Renditions)] = []
    private(set) var returns: [(input: InputID, back: (renditions: Renditions, lostSince: MediaSequenceNumber?))] = []

    /// All that no input has media for any more.
    var lost: Renditions {
        losses.reduce(into: Renditions()) { all, loss in
            for id in loss.renditions.ids { all.insert(id) }
        }
    }

    mutating func lost(_ subject: Subject, to filler: CutSegment.Filler?, at position: Int) {
        let known = losses.firstIndex { $0.filler == filler }
        let index = known ?? losses.endIndex
        if known == nil { losses.append((filler, Renditions())) }
        losses[index].renditions.insert(subject)
        positionsLost.insert(position)
    }

    /// Another input fills a rendition; the first of several reasons stands for all.
    mutating func switched(_ change: Switch, _ subject: Subject) {
        let known = switches.firstIndex { $0.change.from == change.from && $0.change.to == change.to }
        let index = known ?? switches.endIndex
        if known == nil { switches.append((change, Renditions())) }
        switches[index].renditions.insert(subject)
    }

    /// A rendition has media again, from an input.
    mutating func returned(_ input: InputID, _ subject: Subject, lostSince: MediaSequenceNumber?) {
        let known = returns.firstIndex { $0.input == input }
        let index = known ?? returns.endIndex
        if known == nil { returns.append((input, (Renditions(), lostSince))) }
        returns[index].back.renditions.insert(subject)
        guard let lostSince else { return }
        returns[index].back.lostSince = min(returns[index].back.lostSince ?? lostSince, lostSince)
    }
}

extension SlotChanges.Renditions {
    fileprivate mutating func insert(_ subject: SlotChanges.Subject) {
        insert(subject.id, isCarriedAudio: subject.isCarriedAudio)
    }
}
