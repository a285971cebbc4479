import MediaCore
package import Playlists

/// The lines of one playlist that stay as they are while they are listed.
///
/// However long a window is, a new slot changes only its two ends. Lines are therefore kept by blocks of slots, counted
/// from number 0. Only the blocks at the ends are rendered again, when they have a slot more or less.
struct LineBlocks: Sendable {
    /// Slots in a block: long enough that a block compressed by itself loses little, and short enough that two are soon
    /// rendered.
    private let length: Int64
    private var blocks: [Int64: Block] = [:]

    /// The lines of slots that follow each other.
    struct Block: Sendable {
        /// The slots whose lines they are.
        fileprivate let slots: Range<Int64>
        var lines: PlaylistLines
        /// The compressed lines; nil for lines that are compressed with those below.
        var gzip: SharedGzip?
    }

    init(length: Int64 = 256) {
        self.length = length
    }

    /// Renders the lines that were not rendered before.
    ///
    /// - Parameters:
    ///   - slots: The slots that are listed now; rendered lines of other slots are forgotten.
    ///   - isIFramesOnly: As in the playlist, always the same.
    ///   - hasParts: True if there are several texts before there is a slot more: then long blocks are compressed by
    ///     themselves before they are whole.
    ///   - segment: Returns the playlist's segment of a slot, always the same.
    /// - Returns: The lines of all slots.
    mutating func lines(
        of slots: Slice<ListedSlots>,
        isIFramesOnly: Bool,
        hasParts: Bool = false,
        segment: (ListedSlot) -> MediaPlaylist.Segment?
    ) -> [Block] {
        var all: [Block] = []
        var scope = PlaylistLines.Scope()
        var kept: [Int64: Block] = [:]
        var rest = slots
        while let first = rest.first?.number.value {
            let (number, offset) = first.quotientAndRemainder(dividingBy: length)
            let members = rest.prefix(Int(length - offset))
            rest.removeFirst(members.count)
            let numbers = first..<first + Int64(members.count)
            // Below other keys and maps, the same segments have other lines.
            let known = blocks[number].flatMap { $0.slots == numbers && $0.lines.scopeBefore == scope ? $0 : nil }
            var block = known ?? Block(slots: numbers, lines: PlaylistLines(isIFramesOnly: isIFramesOnly, below: scope))
            if known == nil {
                block.lines.reserve(members.reduce(0) { $0 + Self.count(of: $1.dateRanges) })
                for member in members { block.lines.append(segment(member), of: member) }
                if members.count == length { block.lines.trim() }
                if members.count == length || hasParts && members.count >= length / 8 {
                    block.gzip = SharedGzip(block.lines.text)
                }
            }
            kept[number] = block
            scope = block.lines.scopeAfter
            all.append(block)
        }
        blocks = kept
        return all
    }

    /// Estimates the lines of a slot around its segment, in bytes.
    private static func count(of ranges: DateRangeLines) -> Int {
        ranges.textAbove.utf8.count + ranges.textBelow.utf8.count + 192
    }
}

extension PlaylistLines {
    /// Appends a slot's segment with the lines around it.
    package mutating func append(_ segment: consuming MediaPlaylist.Segment?, of slot: ListedSlot) {
        append(lines: slot.dateRanges.textAbove)
        if var segment = consume segment {
            segment.cue = slot.dateRanges.cue
            append(segment)
        }
        append(lines: slot.dateRanges.textBelow)
    }
}
