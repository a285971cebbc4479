import MediaCore
import Playlists
import Synchronization

/// The lines of the playlists in a block.
///
/// Each is rendered when somebody reads it, up to the present end of the block.
///
/// Any number of threads may read. A block to which slots were appended goes on with the same lines, and one that has
/// changed within begins anew. Rendered lines never change.
final class BlockLines: Sendable {
    private let style: LineStyle
    private let state: Mutex<State>

    private struct State: Sendable {
        var builders: [RenditionID: LinesBuilder] = [:]
        /// The next slot whose playlists are looked up.
        var next: MediaSequenceNumber
        var renderedCount = 0

        /// Looks up the playlists of a block's slots up to one, without rendering.
        mutating func look(to end: MediaSequenceNumber, in block: BlockContents, _ style: LineStyle) {
            while next < end {
                for section in block.slots[next]?.sections ?? [] where builders[section.id] == nil {
                    builders[section.id] = LinesBuilder(section, of: block, style: style)
                }
                next = next.next
            }
        }
    }

    /// Begins without a line.
    init(of block: BlockContents, style: LineStyle) {
        self.style = style
        state = Mutex(State(next: block.head.first))
    }

    /// The number of lines that were rendered, those of all playlists together.
    var renderedCount: Int { state.withLock { $0.renderedCount } }

    /// Renders the missing lines of a playlist.
    ///
    /// - Parameters:
    ///   - id: The playlist.
    ///   - end: The slot up to which lines are needed. The result may have more, if another reader needed them.
    ///   - block: The block, with its earlier slots and those that were appended.
    ///   - isWhole: True if the block is over: then they are compressed.
    /// - Returns: The lines; nil if the block has no segment of the playlist.
    func lines(
        of id: RenditionID,
        to end: MediaSequenceNumber,
        in block: BlockContents,
        isWhole: Bool
    ) -> RenditionLines? {
        let builder = state.withLock { state -> LinesBuilder? in
            state.look(to: end, in: block, style)
            state.renderedCount += state.builders[id]?.extend(to: end, of: block) ?? 0
            return state.builders[id]
        }
        // Compressed outside the lock: others read meanwhile.
        return builder?.lines(isWhole: isWhole)
    }

    /// Returns the lines of all playlists, in the order of their names; the parameters are as for one of them.
    func lines(to end: MediaSequenceNumber, in block: BlockContents, isWhole: Bool) -> [RenditionLines] {
        let ids = state.withLock { state -> [RenditionID] in
            state.look(to: end, in: block, style)
            return Array(state.builders.keys)
        }
        return ids.sorted { $0.name < $1.name }.compactMap { lines(of: $0, to: end, in: block, isWhole: isWhole) }
    }
}
