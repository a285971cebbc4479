import MediaCore
import Playlists

/// A media playlist as it follows from a window; its lines are rendered when they are known to be wanted.
struct ListedPlaylist: Sendable {
    /// The rendition whose segments it lists.
    var rendition: RenditionID
    /// The playlist without its segments.
    var frame: MediaPlaylist
    /// The ranges above all segments, of slots that left the window.
    var carriedRanges: [DateRange] = []
    /// The lines of ranges of slots that only other playlists list.
    var unlistedLines = ""
    /// The slots whose segments it lists, oldest first; each of them has the rendition.
    var slots: Slice<ListedSlots>
    /// As in the presentation, always the same.
    var keyAddresses = KeyAddresses()

    /// The numbers of the slots.
    var numbers: Range<MediaSequenceNumber> {
        guard let first = slots.first?.number, let last = slots.last?.number else {
            return frame.mediaSequence..<frame.mediaSequence
        }
        return first..<last.next
    }

    /// Renders the lines that were not rendered before.
    ///
    /// - Parameters:
    ///   - blocks: The lines that were rendered before, and those that are now.
    ///   - carried: The lines above the segments of all playlists, likewise.
    /// - Returns: The text of the playlist.
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
    /// Returns the line of the segment; in an I-frame playlist, that of its first independent picture.
    fileprivate func line(in playlist: MediaPlaylist) -> MediaPlaylist.Segment {
        guard playlist.isIFramesOnly else { return line }
        var line = line
        line.byteRange = iFrame
        if iFrame == nil { line.isGap = true }
        return line
    }
}
