import MediaCore
import Playlists

/// A block in memory: the newest one, or one that has no file of lines yet.
///
/// Its lines are rendered when they are read, so that every slot costs the same. Copies share
/// the rendering.
struct LiveBlock: Sendable {
    private(set) var contents: BlockContents
    /// True if no slot will follow that is newer.
    private(set) var isOver: Bool
    /// Counts the changes.
    private(set) var revision = 0
    private var lines: BlockLines
    private let style: LineStyle

    init(_ contents: BlockContents, style: LineStyle, isOver: Bool) {
        (self.contents, self.style, self.isOver) = (contents, style, isOver)
        lines = BlockLines(of: contents, style: style)
    }

    /// The end of the slots that it has lines of.
    var end: MediaSequenceNumber {
        isOver ? contents.number.numbers.upperBound : contents.last?.next ?? contents.head.first
    }

    /// Takes a slot at the end, or a declaration.
    mutating func extend(_ contents: BlockContents) {
        self.contents = contents
        revision += 1
    }

    /// Takes a change within the block, which makes the rendered lines invalid.
    mutating func change(_ contents: BlockContents) {
        extend(contents)
        lines = BlockLines(of: contents, style: style)
    }

    /// Fills up the block with gaps: no slot will follow.
    mutating func close() { isOver = true }

    /// Returns the lines of a playlist, which are gaps if the block has no segment of it.
    func lines(of id: RenditionID) -> RenditionLines {
        lines.lines(of: id, to: end, in: contents, isWhole: false)
            ?? contents.gaps(of: id, through: end, style: style, isWhole: false)
    }

    /// The lines of all playlists, compressed as well.
    var wholeLines: [RenditionLines] { lines.lines(to: end, in: contents, isWhole: true) }
    /// The same, not compressed.
    var plainLines: [RenditionLines] { lines.lines(to: end, in: contents, isWhole: false) }
    /// The number of lines that were rendered since the last change within, those of all playlists together.
    var renderedCount: Int { lines.renderedCount }
}

extension BlockContents {
    /// Returns gaps for all slots of a playlist.
    func gaps(of id: RenditionID, through end: MediaSequenceNumber, style: LineStyle, isWhole: Bool) -> RenditionLines {
        let pictures = RenditionID("").iFrames.name
        let media = id.name.hasSuffix(pictures) ? RenditionID(String(id.name.dropLast(pictures.count))) : id
        let rendition = declarations.lazy.flatMap(\.declaration.renditions).first { $0.id == media }
        let section = LineSection(
            id: id,
            media: media,
            kind: rendition?.kind ?? .video,
            format: rendition?.format ?? .fragmentedMP4
        )
        var builder = LinesBuilder(section, of: self, style: style)
        _ = builder.extend(to: end, of: self)
        return builder.lines(isWhole: isWhole)
    }
}
