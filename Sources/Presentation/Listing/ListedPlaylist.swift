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
    /// The ranges of all slots of the window.
    var windowRanges: [DateRange] = []
    /// The slots whose segments it lists, oldest first; each of them has the rendition.
    var slots: Slice<ListedSlots>
    /// The addresses of keys, the same for the whole presentation.
    var keyAddresses = KeyAddresses()
    /// The terms of low latency; nil if it is off.
    var lowLatency: LowLatency?
    /// The parts of the newest slots.
    var parts: [MediaSequenceNumber: [MediaPlaylist.Part]] = [:]
    /// The identifiers of the ranges that have left lately; nil if that is not known.
    var removedRanges: [String]?

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
    ///   - carried: The lines above the segments of all playlists, rendered before or now.
    /// - Returns: The text of the playlist.
    func render(_ blocks: inout LineBlocks, _ carried: inout CarriedLines) -> CompressedText {
        let recent = partCount
        let settled = blocks.lines(
            of: slots.dropLast(recent),
            isIFramesOnly: frame.isIFramesOnly,
            hasParts: frame.partTarget != nil,
            segment: segment(of:)
        )
        // Lines with parts, and those below them, change before a block is full.
        let tail = tail(slots.suffix(recent), below: settled.last?.lines.scopeAfter ?? PlaylistLines.Scope())
        var text = CompressedText()
        var lines = settled.map(\.lines)
        if let tail { lines.append(tail) }
        text.append(frame.head(of: lines))
        text.append(carried.text(of: carriedRanges))
        text.append(unlistedLines)
        for block in settled {
            if let gzip = block.gzip {
                text.append(block.lines.text, gzip)
            } else {
                text.append(block.lines.text)
            }
        }
        if let tail { text.append(tail.text) }
        text.append(frame.end)
        return text
    }

    /// Returns true if an update for players that have an older copy leaves anything out.
    func hasUpdate(_ skip: SkipDirective) -> Bool {
        guard !frame.isEnded, skip == .yes || removedRanges != nil else { return false }
        let count = updatedCount
        return count > 0 && count < slots.count
    }

    /// The number of newest slots that updates list.
    private var updatedCount: Int { lowLatency.map { newest(within: $0.skipBoundary) } ?? slots.count }

    /// Renders the update for players that have an older copy (RFC 8216bis § 6.2.5.1).
    func renderUpdate(_ skip: SkipDirective, _ skippedRanges: SharedLines) -> CompressedText {
        let kept = slots.suffix(updatedCount)
        let skipped = slots.dropLast(kept.count)
        var lines = PlaylistLines(isIFramesOnly: frame.isIFramesOnly)
        // The keys and the map in force are repeated; earlier keys have no line here.
        let before = skipped.last.flatMap(segment)?.formats ?? []
        let after = kept.first.flatMap(segment)?.formats ?? []
        if !before.isEmpty, before != after { lines.append(lines: "#EXT-X-KEY:METHOD=NONE\n") }
        append(kept, to: &lines)
        var frame = frame
        frame.skip = MediaPlaylist.Skip(
            segmentCount: skipped.count,
            removedDateRanges: skip == .v2 ? removedRanges : nil
        )
        var text = CompressedText()
        text.append(frame.head(of: [lines]))
        if skip == .yes {
            let count = kept.reduce(0) { $0 + $1.dateRanges.all.count }
            text.append(skippedRanges.text(of: carriedRanges + windowRanges.dropLast(count)))
        }
        text.append(lines.text)
        text.append(frame.end)
        return text
    }

    /// The playlist without all that is for low latency, for consumers that answer no requests.
    var withoutLowLatency: ListedPlaylist {
        var playlist = self
        (playlist.lowLatency, playlist.parts) = (nil, [:])
        (playlist.frame.partTarget, playlist.frame.serverControl) = (nil, nil)
        (playlist.frame.openSegments, playlist.frame.hints, playlist.frame.reports) = ([], [], [])
        return playlist
    }

    /// The number of newest slots whose parts are listed: EXT-X-PART goes three target durations before the end (RFC
    /// 8216bis § 4.4.4.9).
    private var partCount: Int {
        guard let lowLatency, frame.partTarget != nil else { return 0 }
        return newest(within: lowLatency.listing)
    }

    /// Returns the number of newest slots that are not all of this time before the end.
    private func newest(within time: MediaTime) -> Int {
        var (count, length) = (0, MediaTime.zero)
        for slot in slots.reversed() {
            if length >= time { break }
            count += 1
            length += slot.segments[rendition]?.line.duration.time ?? .zero
        }
        return count
    }

    private func tail(_ slots: Slice<ListedSlots>, below scope: PlaylistLines.Scope) -> PlaylistLines? {
        if slots.isEmpty, frame.openSegments.isEmpty { return nil }
        var lines = PlaylistLines(isIFramesOnly: frame.isIFramesOnly, below: scope)
        append(slots, to: &lines)
        return lines
    }

    private func append(_ slots: Slice<ListedSlots>, to lines: inout PlaylistLines) {
        let firstWithParts = self.slots.suffix(partCount).first?.number
        for slot in slots {
            var segment = segment(of: slot)
            if let firstWithParts, slot.number >= firstWithParts { segment?.parts = parts[slot.number] ?? [] }
            lines.append(segment, of: slot)
        }
        for open in frame.openSegments { lines.append(open) }
    }

    /// Returns the segment of a slot without its parts; in an I-frame playlist, its first independent picture.
    private func segment(of slot: ListedSlot) -> MediaPlaylist.Segment? {
        slot.segments[rendition]?.line(in: frame).naming(keys: keyAddresses)
    }
}

extension MediaPlaylist.Segment {
    fileprivate var formats: [String] { keys.map(\.effectiveKeyFormat) }
}

extension ListedSegment {
    /// Returns the line of the segment, or, in an I-frame playlist, of its first independent picture.
    fileprivate func line(in playlist: MediaPlaylist) -> MediaPlaylist.Segment {
        guard playlist.isIFramesOnly else { return line }
        var line = line
        line.byteRange = iFrame
        if iFrame == nil { line.isGap = true }
        return line
    }
}
