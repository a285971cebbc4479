import MediaCore
import NIOCore
package import Playlists
package import Presentation

extension Recording {
    /// Assembles the media playlist of a rendition.
    ///
    /// It waits for the disk.
    ///
    /// - Parameters:
    ///   - id: A rendition, or its pictures (``RenditionID/iFrames``).
    ///   - section: The slots that it lists.
    ///   - skip: The requested delta update (RFC 8216bis § 6.2.5.1); nil for the whole playlist.
    ///   - terms: The channel's terms.
    ///   - variables: The variables that its lines use.
    /// - Returns: The playlist, with all slots of the section or, as a delta update, the newest of them.
    /// - Throws: ``PastRefusal`` if the rendition is unknown or not recorded, or if the disk cannot be read.
    package func playlist(
        of id: RenditionID,
        _ section: PastSection,
        skip: SkipDirective? = nil,
        _ terms: PastTerms,
        variables: [PlaylistVariable]
    ) throws(PastRefusal) -> PastPlaylist {
        let numbers = section.numbers
        let kept = section.kept(by: skip, terms)
        var frame = MediaPlaylist(
            targetDuration: terms.targetDuration,
            mediaSequence: numbers.lowerBound,
            variables: variables,
            isIFramesOnly: try isOfPictures(id, in: section)
        )
        frame.take(section.phase, terms)
        let playlist: PastPlaylist?
        do throws(RecordingError) {
            playlist =
                if let kept, let skip {
                    try delta(frame, of: id, numbers, kept: kept, skip)
                } else {
                    try whole(frame, of: id, numbers)
                }
        } catch {
            throw .unreadable
        }
        // A playlist that moves has had media, and will have some again.
        guard let playlist, section.phase.moves || kept != nil || !playlist.isGap else { throw .nothingRecorded }
        return playlist
    }

    /// Adds up the bytes of the lines of a media playlist, before they are read.
    ///
    /// It waits for the disk, but reads no lines.
    ///
    /// - Parameters:
    ///   - id: As for ``playlist(of:_:skip:_:variables:)``.
    ///   - section: The slots that the playlist lists.
    ///   - skip: The requested delta update; nil for the whole playlist.
    ///   - terms: The channel's terms.
    /// - Returns: Bytes of memory, which is at least the length of the playlist's text.
    /// - Throws: ``PastRefusal/unreadable`` if the disk cannot be read.
    package func linesByteCount(
        of id: RenditionID,
        _ section: PastSection,
        skip: SkipDirective? = nil,
        _ terms: PastTerms
    ) throws(PastRefusal) -> Int {
        let first = section.numbers.lowerBound
        do throws(RecordingError) {
            // Skipped slots are read for their date ranges, unless players keep these.
            guard skip == .v2, let kept = section.kept(by: skip, terms) else {
                return try linesByteCount(of: id, in: section.numbers)
            }
            return try linesByteCount(of: id, in: first..<first.next) + linesByteCount(of: id, in: kept)
        } catch {
            throw .unreadable
        }
    }

    private func whole(
        _ frame: MediaPlaylist,
        of id: RenditionID,
        _ numbers: Range<MediaSequenceNumber>
    ) throws(RecordingError) -> PastPlaylist? {
        let lines = try lines(of: id, in: numbers)
        guard lines.cover(numbers) else { return nil }
        var frame = frame
        frame.discontinuitySequence = lines.first?.discontinuitiesBefore ?? 0
        return PastPlaylist(frame, ranges: try rangeLines(openAt: numbers.lowerBound), lines: lines)
    }

    private func delta(
        _ frame: MediaPlaylist,
        of id: RenditionID,
        _ numbers: Range<MediaSequenceNumber>,
        kept: Range<MediaSequenceNumber>,
        _ skip: SkipDirective
    ) throws(RecordingError) -> PastPlaylist? {
        var frame = frame
        let skipped = numbers.lowerBound..<kept.lowerBound
        frame.skip = MediaPlaylist.Skip(
            segmentCount: Int(skipped.upperBound.value - skipped.lowerBound.value),
            // A growing playlist loses no slot.
            removedDateRanges: skip == .v2 ? [] : nil
        )
        let first = numbers.lowerBound..<numbers.lowerBound.next
        frame.discontinuitySequence = try lines(of: id, in: first).first?.discontinuitiesBefore ?? 0
        var ranges = ""
        if skip == .yes {
            ranges = try rangeLines(openAt: numbers.lowerBound)
            for part in try lines(of: id, in: skipped) { ranges += part.dateRangeLines }
        }
        let lines = try lines(of: id, afterSkipped: kept)
        return lines.cover(kept) ? PastPlaylist(frame, ranges: ranges, lines: lines) : nil
    }

    /// Returns the lines of the date ranges that a playlist which begins with a slot has above it.
    private func rangeLines(openAt number: MediaSequenceNumber) throws(RecordingError) -> String {
        var ranges = try dateRanges(openAt: number)
        ranges.moveDown(by: LineStyle.prefix)
        return ranges.lines
    }

    /// Returns true for the pictures of a rendition, and false for a rendition.
    private func isOfPictures(_ id: RenditionID, in section: PastSection) throws(PastRefusal) -> Bool {
        var isOfPictures: Bool?
        try forEachDeclaration(in: section) { declaration in
            isOfPictures = declaration.isOfPictures(id)
            // Most renditions are in the first one, so that the others need not be read.
            return isOfPictures == nil
        }
        guard let isOfPictures else { throw .unknownRendition }
        return isOfPictures
    }

    /// Assembles a multivariant playlist with everything that viewers had in a section; of one that moves, as they had it
    /// at its end.
    ///
    /// It waits for the disk. In the playlist of a growing section, bit rates only grow.
    ///
    /// - Parameters:
    ///   - name: Its name below the range's path.
    ///   - section: The slots that its media playlists list.
    ///   - range: The range, if the playlist is beside the live ones; nil if it is below the path of the range.
    /// - Returns: The playlist, without content steering. Its addresses are relative to the request.
    /// - Throws: ``PastRefusal`` if there was none, or if the disk cannot be read.
    package func multivariant(
        _ name: MultivariantName,
        _ section: PastSection,
        linking range: PastRange? = nil
    ) throws(PastRefusal) -> MultivariantPlaylist {
        var texts: [String] = []
        func append(_ declaration: Declaration) {
            if let text = declaration.multivariants[name], text != texts.last { texts.append(text) }
        }
        if section.phase.moves {
            if let last = try lastDeclaration(of: section) { append(last) }
        } else {
            try forEachDeclaration(in: section) { declaration in
                append(declaration)
                return true
            }
        }
        guard var playlist = try? MultivariantPlaylist(merging: texts) else {
            throw .nothingRecorded
        }
        // The pathways were those of live viewers at that time.
        playlist.steer(by: nil)
        if let range {
            playlist.link(to: "past/\(range.component)/")
        } else {
            playlist.moveDown(by: "../../")
        }
        switch section.phase {
        case .sliding, .slid: break
        // Players begin at the end of a growing playlist, unless it says otherwise.
        case .growing: playlist.start = MultivariantPlaylist.Start(offset: .zero)
        case .grown, .onDemand: playlist.start = nil
        }
        return playlist
    }

    /// Calls a closure with the declarations in force in a section, oldest first, for as long as it returns true.
    ///
    /// A section that moves, and in which there are none, has the last one before it: its players keep their playlists.
    private func forEachDeclaration(
        in section: PastSection,
        _ body: (Declaration) -> Bool
    ) throws(PastRefusal) {
        var isEmpty = true
        do throws(RecordingError) {
            for (_, numbers) in section.numbers.byBlock {
                for declaration in try declarations(in: numbers) {
                    isEmpty = false
                    if !body(declaration) { return }
                }
            }
        } catch {
            throw .unreadable
        }
        if isEmpty, section.phase.moves, let last = try lastDeclaration(of: section) { _ = body(last) }
    }

    /// Returns the declaration in force at the end of a section, or the last one before it; nil if there is none.
    private func lastDeclaration(of section: PastSection) throws(PastRefusal) -> Declaration? {
        guard let extent else { return nil }
        do throws(RecordingError) {
            for (_, numbers) in (extent.lowerBound..<max(extent.lowerBound, section.numbers.upperBound)).byBlock
                .reversed()
            {
                if let declaration = try declaration(at: numbers.upperBound.previous) { return declaration }
            }
            return nil
        } catch {
            throw .unreadable
        }
    }
}

extension Declaration {
    /// Returns true for the pictures of one of its renditions, and false for a rendition; nil for any other name.
    fileprivate func isOfPictures(_ id: RenditionID) -> Bool? {
        if renditions.contains(where: { $0.id == id }) { return false }
        return renditions.contains { $0.kind == .video && $0.id.iFrames == id } ? true : nil
    }
}

extension [RecordedLines] {
    /// Returns true if the lines are complete: the oldest slots may have been removed a moment ago.
    fileprivate func cover(_ numbers: Range<MediaSequenceNumber>) -> Bool {
        var next = numbers.lowerBound
        for part in self {
            guard part.numbers.lowerBound == next else { return false }
            next = part.numbers.upperBound
        }
        return next == numbers.upperBound
    }
}

extension PastSection.Phase {
    fileprivate var moves: Bool { self == .sliding || self == .slid }
}

extension PastTerms {
    /// The time before the end of a growing playlist that delta updates list.
    ///
    /// RFC 8216bis § 4.4.3.8: six target durations at least.
    fileprivate var skipBoundary: MediaTime { MediaTime(seconds: Int64(targetDuration)) * 6 }
}

extension PastSection {
    /// The newest slots, which a delta update lists; nil if the playlist is sent whole.
    ///
    /// It is sent whole if it has ended (RFC 8216bis § 6.2.5), or has no slots before them.
    ///
    /// A slot begins and ends within one slot of its place on the grid.
    fileprivate func kept(by skip: SkipDirective?, _ terms: PastTerms) -> Range<MediaSequenceNumber>? {
        guard skip != nil, phase == .growing else { return nil }
        let (boundary, slot) = (terms.skipBoundary.ticks, terms.segmentDuration.ticks)
        let count = (boundary + slot - 1) / slot + 1
        let first = numbers.upperBound.advanced(by: -count)
        return first > numbers.lowerBound ? first..<numbers.upperBound : nil
    }
}

extension MediaPlaylist {
    /// Sets the tags that say if the playlist grows.
    fileprivate mutating func take(_ phase: PastSection.Phase, _ terms: PastTerms) {
        switch phase {
        case .onDemand: (isOnDemand, isEnded) = (true, true)
        case .growing, .grown:
            (isEvent, isEnded) = (true, phase == .grown)
            serverControl = ServerControl(canSkipUntil: terms.skipBoundary, canSkipDateRanges: true)
        case .sliding: break
        case .slid: isEnded = true
        }
    }
}
