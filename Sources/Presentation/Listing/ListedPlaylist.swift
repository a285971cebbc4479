import MediaCore
import Playlists

/// A media playlist as it follows from a window: its lines are rendered when it is known that they are wanted.
struct ListedPlaylist: Sendable {
    /// Whose segments it lists.
    var rendition: RenditionID
    /// All but the segments.
    var frame: MediaPlaylist
    /// What stands above all of them, of slots that left the window.
    var carriedRanges: [DateRange] = []
    /// The same of slots that others list, as lines.
    var unlistedLines = ""
    /// Those of its segments, oldest first; the rendition is in each of them.
    var slots: Slice<ListedSlots>
    /// As of the presentation, always the same.
    var keyAddresses = KeyAddresses()

    /// The numbers of the slots.
    var numbers: Range<MediaSequenceNumber> {
        guard let first = slots.first?.number, let last = slots.last?.number else {
            return frame.mediaSequence..<frame.mediaSequence
        }
        return first..<last.next
    }

    /// Renders what was not rendered before.
    ///
    /// - Parameters:
    ///   - blocks: What was rendered of it before, and is now.
    ///   - carried: The same of what stands above the segments of all playlists.
    /// - Returns: Its text.
    func render(_ blocks: inout LineBlocks, _ carried: inout CarriedLines) -> CompressedText {
        let rendered = blocks.lines(of: slots, isIFramesOnly: frame.isIFramesOnly) { slot in
            slot.segments[rendition]?.line(in: frame).naming(keys: keyAddresses)
        }
        var text = CompressedText()
        for lines in [frame.head(of: rendered.map(\.lines)), carried.text(of: carriedRanges), unlistedLines] {
            text.append(lines)
        }
        for block in rendered {
            if let gzip = block.gzip {
                text.append(block.lines.text, gzip)
            } else {
                text.append(block.lines.text)
            }
        }
        text.append(frame.end)
        return text
    }
}

extension ListedSegment {
    /// How a playlist lists it: where pictures are listed, the one of it that needs no others.
    fileprivate func line(in playlist: MediaPlaylist) -> MediaPlaylist.Segment {
        guard playlist.isIFramesOnly else { return line }
        var line = line
        line.byteRange = iFrame
        if iFrame == nil { line.isGap = true }
        return line
    }
}
