import MediaCore
import NIOCore
import Playlists
import Presentation

/// Renders the lines of one playlist in a block, slot by slot.
struct LinesBuilder: Sendable {
    private let section: LineSection
    private let style: LineStyle
    private let first: MediaSequenceNumber
    private let discontinuitiesBefore: Int
    private var lines: PlaylistLines
    private var entries: [RenditionLines.Entry] = []
    private var scopes = [""]
    private var headFormats: [String]?

    init(_ section: LineSection, of block: BlockContents, style: LineStyle) {
        (self.section, self.style) = (section, style)
        (first, discontinuitiesBefore) = (block.head.first, block.head.discontinuities)
        lines = PlaylistLines(isIFramesOnly: section.isIFramesOnly)
    }

    /// Renders the slots of its block up to one.
    ///
    /// - Parameters:
    ///   - end: The slot after the last one that is rendered.
    ///   - block: The block, whose rendered slots must not have changed.
    /// - Returns: The number of slots that were rendered now.
    mutating func extend(to end: MediaSequenceNumber, of block: BlockContents) -> Int {
        let count = entries.count
        while next < end { append(block.slots[next]) }
        return entries.count - count
    }

    /// The slot that is rendered next.
    private var next: MediaSequenceNumber { first.advanced(by: Int64(entries.count)) }

    /// Appends the next slot; nil for one that was not recorded.
    private mutating func append(_ stored: StoredSlot?) {
        let segment = style.segment(of: section, in: stored, next)
        let before = lines.scopeAfter
        if var slot = stored?.slot {
            slot.dateRanges.moveDown(by: LineStyle.prefix)
            lines.append(segment, of: slot)
        } else {
            lines.append(segment)
        }
        if headFormats == nil, !segment.isGap || !segment.keys.isEmpty || segment.map != nil {
            headFormats = lines.scopeAfter.keyFormats
        }
        var entry = RenditionLines.Entry(
            end: lines.text.utf8.count,
            scope: index(of: before.isEmpty ? "" : before.lines(remainingIn: lines.scopeAfter)),
            flags: flags(of: segment, in: stored),
            start: segment.programDateTime,
            duration: segment.duration.time
        )
        if !section.isIFramesOnly, let listed = stored?.slot.segments[section.id],
            let offset = stored?.offsets[section.id]
        {
            (entry.offset, entry.byteCount) = (offset, listed.byteCount)
            entry.tag = listed.entityTag.flatMap { ContentHash(entityTag: $0) } ?? ContentHash(value: 0)
        }
        entries.append(entry)
    }

    private func flags(of segment: MediaPlaylist.Segment, in stored: StoredSlot?) -> RenditionLines.Flags {
        var flags: RenditionLines.Flags = segment.isGap ? .gap : []
        if segment.startsDiscontinuity { flags.insert(.discontinuity) }
        if stored != nil { flags.insert(.recorded) }
        if stored?.slot.segments[section.media] != nil { flags.insert(.listed) }
        return flags
    }

    /// Returns the index of lines among the scopes; neighbours usually have the same.
    private mutating func index(of scope: String) -> Int {
        if scope.isEmpty { return 0 }
        if scopes.last != scope { scopes.append(scope) }
        return scopes.count - 1
    }

    /// Returns the lines until now.
    ///
    /// - Parameter isWhole: True if the block is over: then they are compressed.
    /// - Returns: The lines, with an entry for each slot.
    func lines(isWhole: Bool) -> RenditionLines {
        let text = ByteBuffer(string: lines.text)
        return RenditionLines(
            section: section,
            first: first,
            discontinuitiesBefore: discontinuitiesBefore,
            entries: entries,
            scopes: scopes,
            text: text,
            version: lines.version,
            headFormats: headFormats,
            tailFormats: lines.scopeAfter.keyFormats,
            gzip: isWhole ? GzipPart(text) : nil
        )
    }
}

extension ContentHash {
    /// - Parameter entityTag: As ``entityTag``; nil if it is another one.
    init?(entityTag: String) {
        guard entityTag.utf8.count == 18, let value = UInt64(entityTag.dropFirst().dropLast(), radix: 16) else {
            return nil
        }
        self.init(value: value)
    }
}
