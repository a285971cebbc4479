import MediaCore
import Playlists

/// The lines of one playlist that stay as they are while they are listed.
///
/// Whatever the length of a window, a new slot changes its two ends only. So lines are kept by blocks of slots, counted
/// from number 0, and only those of the blocks at the ends, which are not listed as a whole, are rendered again.
struct LineBlocks: Sendable {
    private var blocks: [Int64: PlaylistLines] = [:]

    /// Slots in a block.
    static let length: Int64 = 64

    /// Renders what was not rendered before.
    ///
    /// - Parameters:
    ///   - slots: What is listed now; what was rendered of others is forgotten.
    ///   - isIFramesOnly: As of the playlist, always the same.
    ///   - segment: What the playlist lists of a slot, always the same.
    /// - Returns: The lines of all slots.
    mutating func lines(
        of slots: ArraySlice<ListedSlot>,
        isIFramesOnly: Bool,
        segment: (ListedSlot) -> MediaPlaylist.Segment?
    ) -> PlaylistLines {
        var lines = PlaylistLines(isIFramesOnly: isIFramesOnly)
        var kept: [Int64: PlaylistLines] = [:]
        var rest = slots
        while let first = rest.first?.number.value {
            let (block, offset) = first.quotientAndRemainder(dividingBy: Self.length)
            let members = rest.prefix(Int(Self.length - offset))
            rest.removeFirst(members.count)
            let isWhole = members.count == Self.length
            // Below other keys and maps the same segments have other lines.
            if isWhole, let known = blocks[block], known.scopeBefore == lines.scopeAfter {
                lines.append(known)
                kept[block] = known
                continue
            }
            var rendered = PlaylistLines(isIFramesOnly: isIFramesOnly, below: lines.scopeAfter)
            for member in members { if let segment = segment(member) { rendered.append(segment) } }
            lines.append(rendered)
            if isWhole { kept[block] = rendered.trimmed }
        }
        blocks = kept
        return lines
    }
}
