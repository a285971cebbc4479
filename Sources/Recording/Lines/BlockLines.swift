import MediaCore
import Playlists

/// The lines of all playlists in a block.
struct BlockLines: Sendable {
    private var builders: [RenditionID: LinesBuilder] = [:]
    private let style: LineStyle
    /// The slot that is rendered next.
    private var next: MediaSequenceNumber

    /// Renders the lines of a block, up to its last slot.
    init(of block: BlockContents, style: LineStyle) {
        (self.style, next) = (style, block.head.first)
        if let last = block.last { extend(to: last.next, of: block) }
    }

    /// Renders the slots of a block up to one.
    mutating func extend(to end: MediaSequenceNumber, of block: BlockContents) {
        while next < end {
            let slot = block.slots[next]
            for section in slot?.sections ?? [] where builders[section.id] == nil {
                builders[section.id] = Self.builder(section, before: next, of: block, style)
            }
            for index in builders.values.indices { builders.values[index].append(slot) }
            next = next.next
        }
    }

    /// Returns the lines of a playlist; nil if the block has no segment of it.
    func lines(of id: RenditionID, isWhole: Bool) -> RenditionLines? { builders[id]?.lines(isWhole: isWhole) }

    /// Returns the lines of all playlists, in the order of their names.
    func lines(isWhole: Bool) -> [RenditionLines] {
        builders.sorted { $0.key.name < $1.key.name }.map { $0.value.lines(isWhole: isWhole) }
    }

    /// Returns the lines of a playlist that the block has no segment of.
    static func gaps(
        of section: LineSection,
        through end: MediaSequenceNumber,
        of block: BlockContents,
        style: LineStyle,
        isWhole: Bool
    ) -> RenditionLines {
        builder(section, before: end, of: block, style).lines(isWhole: isWhole)
    }

    private static func builder(
        _ section: LineSection,
        before end: MediaSequenceNumber,
        of block: BlockContents,
        _ style: LineStyle
    ) -> LinesBuilder {
        var builder = LinesBuilder(section, of: block, style: style)
        for number in block.head.first..<end { builder.append(block.slots[number]) }
        return builder
    }
}
