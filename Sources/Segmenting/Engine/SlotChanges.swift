import MediaCore
import Playlists

/// The changes that a slot brings, without a line for each rendition that they are of.
struct SlotChanges {
    /// Names of renditions, each once and in their order.
    struct Names {
        private var ids: [RenditionID] = []

        var isEmpty: Bool { ids.isEmpty }
        var text: String { ids.map(\.name).joined(separator: " ") }
        var list: String { ids.map(\.name).joined(separator: ", ") }

        mutating func insert(_ id: RenditionID) {
            if !ids.contains(id) { ids.append(id) }
        }
    }

    /// One input gives way to another.
    struct Switch {
        var from: InputID
        var to: InputID
        var why: String
    }

    /// Renditions that have media for the first time.
    var begun = Names()
    /// Renditions that no input has media for any more.
    private(set) var lost = Names()
    private(set) var positionsLost: Set<Int> = []
    private(set) var switches: [(change: Switch, renditions: Names)] = []
    private(set) var returns: [(input: InputID, back: (renditions: Names, lostSince: MediaSequenceNumber?))] = []

    mutating func lost(_ id: RenditionID, at position: Int) {
        lost.insert(id)
        positionsLost.insert(position)
    }

    /// Another input fills a rendition; the first of several reasons stands for all.
    mutating func switched(_ change: Switch, _ id: RenditionID) {
        let known = switches.firstIndex { $0.change.from == change.from && $0.change.to == change.to }
        let index = known ?? switches.endIndex
        if known == nil { switches.append((change, Names())) }
        switches[index].renditions.insert(id)
    }

    /// A rendition has media again, from an input.
    mutating func returned(_ input: InputID, _ id: RenditionID, lostSince: MediaSequenceNumber?) {
        let known = returns.firstIndex { $0.input == input }
        let index = known ?? returns.endIndex
        if known == nil { returns.append((input, (Names(), lostSince))) }
        returns[index].back.renditions.insert(id)
        guard let lostSince else { return }
        returns[index].back.lostSince = min(returns[index].back.lostSince ?? lostSince, lostSince)
    }
}
