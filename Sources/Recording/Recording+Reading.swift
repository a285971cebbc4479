import Files
import Glibc
package import MediaCore
import NIOCore
package import Playlists
package import Presentation
import Synchronization

/// Queries about the past. Each waits for the disk.
extension Recording {
    /// The most slots of one query.
    package static let longestRange: Int64 = 1 << 18

    /// Returns the declaration in force at a slot; nil if none is known in its block.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read.
    package func declaration(at number: MediaSequenceNumber) throws(RecordingError) -> Declaration? {
        try story(of: BlockNumber(of: number))?.declaration(at: number)
    }

    /// Returns the declarations in force at some slots, oldest first; those of blocks without any are left out.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read, or there are more than ``longestRange``.
    package func declarations(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [Declaration] {
        var found: [Declaration] = []
        for (block, members) in try covered(numbers).byBlock {
            found += try story(of: block)?.declarations(in: members) ?? []
        }
        return found
    }

    /// Returns the date ranges that began before a slot and are not over at it: a playlist that begins with the slot
    /// has their tags above it.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read.
    package func dateRanges(openAt number: MediaSequenceNumber) throws(RecordingError) -> [DateRange] {
        try story(of: BlockNumber(of: number))?.ranges(openAt: number, style.segmentDuration * number.value) ?? []
    }

    /// Returns the date ranges that a playlist of these slots has: those that are open at the first one, and those of
    /// the slots.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read, or there are more than ``longestRange``.
    package func dateRanges(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [DateRange] {
        var ranges = try dateRanges(openAt: numbers.lowerBound)
        for (block, members) in try covered(numbers).byBlock {
            ranges += try story(of: block)?.ranges(in: members) ?? []
        }
        return ranges
    }

    /// Returns the lines of a playlist, one value for each block, in order.
    ///
    /// - Parameters:
    ///   - id: The rendition, or the name of its pictures (`RenditionID.iFrames`).
    ///   - numbers: The slots. Those outside of the ``extent`` are left out, and missing ones inside are gaps.
    /// - Returns: The lines, which are gaps where a block has none of the playlist.
    /// - Throws: ``RecordingError`` if the disk cannot be read, or the range is beyond reason.
    package func lines(
        of id: RenditionID,
        in numbers: Range<MediaSequenceNumber>
    ) throws(RecordingError) -> [RecordedLines] {
        var all: [RecordedLines] = []
        var formats: [String] = []
        for (block, members) in try covered(numbers).byBlock {
            let (lines, whole) = try lines(of: id, in: block)
            guard var recorded = whole.flatMap({ $0.numbers == members ? $0 : nil }) ?? lines.lines(in: members) else {
                continue
            }
            // Keys stay in force across blocks, unless the next one names others of the same formats (RFC 8216bis §
            // 4.4.4.4).
            if let head = lines.headFormats {
                if !formats.isEmpty, head != formats || recorded.beginsWithMap { recorded.endKeys() }
                formats = lines.tailFormats
            }
            all.append(recorded)
        }
        return all
    }

    /// Returns the lines of a delta update: they follow the lines of skipped slots, whose keys stay in force.
    ///
    /// - Throws: ``RecordingError`` as for ``lines(of:in:)``.
    func lines(
        of id: RenditionID,
        afterSkipped numbers: Range<MediaSequenceNumber>
    ) throws(RecordingError) -> [RecordedLines] {
        var all = try lines(of: id, in: numbers)
        let (first, last) = (numbers.lowerBound, numbers.lowerBound.previous)
        let own = try lines(of: id, in: BlockNumber(of: first)).lines
        let before =
            BlockNumber(of: last) == BlockNumber(of: first) ? own : try lines(of: id, in: BlockNumber(of: last)).lines
        // METHOD=NONE does no harm where no key is in force.
        let hasKeys = !(before.tailFormats + (own.headFormats ?? []) + own.tailFormats).isEmpty
        if hasKeys, let kept = all.first, kept.beginsWithMap || first == own.first { all[0].endKeys() }
        return all
    }

    /// Adds up the bytes in memory of the lines that ``lines(of:in:)`` reads; none of them are read.
    ///
    /// Lines are read with all those of their block.
    func linesByteCount(
        of id: RenditionID,
        in numbers: Range<MediaSequenceNumber>
    ) throws(RecordingError) -> Int {
        var byteCount = 0
        for (block, _) in try covered(numbers).byBlock {
            switch place(of: block) {
            case .live(let live): byteCount += live.lines(of: id).byteCount
            case .sealed(let epoch):
                byteCount += try table(of: block, epoch)?.sections[id]?.range.count ?? Self.gapsByteCount
            case .missing: byteCount += Self.gapsByteCount
            }
        }
        return byteCount
    }

    /// The bytes of the lines of a block that has nothing of a playlist, with names of a usual length.
    private static var gapsByteCount: Int { 256 * Int(BlockNumber.length) }

    /// Returns the slots of a range that were recorded, as they were listed.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read, or there are more than ``longestRange``.
    package func slots(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [ListedSlot] {
        var slots: [ListedSlot] = []
        for (block, members) in try covered(numbers).byBlock {
            let contents: BlockContents?
            switch place(of: block) {
            case .live(let live): contents = live.contents
            case .sealed: contents = try self.contents(of: block)
            case .missing: contents = nil
            }
            if let contents { slots += members.compactMap { contents.slots[$0]?.slot } }
        }
        return slots
    }

    /// Returns the slots of a range that were not recorded completely, in order.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read, or there are more than ``longestRange``.
    package func holes(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [RecordedHole] {
        var holes: [RecordedHole] = []
        for (block, members) in try covered(numbers).byBlock {
            let all = try playlists(of: block)
            for number in members {
                let entries = all.compactMap { lines in lines[number].map { (lines.section.id, $0.flags) } }
                let gaps = entries.filter { $0.1.isSuperset(of: [.gap, .listed]) }.map(\.0)
                let isRecorded = entries.contains { $0.1.contains(.recorded) }
                if !isRecorded || !gaps.isEmpty {
                    holes.append(RecordedHole(number: number, renditions: isRecorded ? Set(gaps) : nil))
                }
            }
        }
        return holes
    }

    /// Returns the lines of all renditions in a block; none if it is missing.
    private func playlists(of block: BlockNumber) throws(RecordingError) -> [RenditionLines] {
        switch place(of: block) {
        case .live(let live): return live.plainLines.filter { !$0.section.isIFramesOnly }
        case .missing: return []
        case .sealed(let epoch):
            var all: [RenditionLines] = []
            for place in try table(of: block, epoch)?.sections.values.map(\.self) ?? [] {
                guard let section = place.section, !section.isIFramesOnly else { continue }
                // The search for holes reads everything. It must not drive from the cache what viewers ask for.
                all.append(try lines(of: section.id, in: block, isKept: false).lines)
            }
            return all
        }
    }

    /// Finds the bytes at a path of live media.
    ///
    /// - Parameter path: `RENDITION/SEQUENCE.m4s` or `RENDITION/init-HASH.mp4`.
    /// - Returns: The place of the bytes; nil if they were not recorded, or are no longer kept.
    /// - Throws: ``RecordingError/failed(_:)`` if the disk cannot be read.
    package func body(_ path: String) throws(RecordingError) -> RecordedBody? {
        guard let path = MediaPath(path) else { return nil }
        guard let number = path.number else { return try initialization(path) }
        guard let extent, extent.contains(number) else { return nil }
        let block = BlockNumber(of: number)
        switch place(of: block) {
        case .missing: return nil
        case .live(let live):
            guard let stored = live.contents.slots[number], let offset = stored.offsets[path.rendition],
                let segment = stored.slot.segments[path.rendition], segment.line.uri == path.description
            else { return nil }
            return body(path, block, segment.kind, offset, segment.byteCount, segment.entityTag ?? "")
        case .sealed(let epoch):
            guard let section = try table(of: block, epoch)?.sections[path.rendition]?.section,
                !section.isIFramesOnly, path.name == "\(number).\(section.format.rawValue)",
                let entry = try lines(of: path.rendition, in: block).lines[number], !entry.flags.contains(.gap)
            else { return nil }
            return body(path, block, section.kind, entry.offset, entry.byteCount, entry.tag.entityTag)
        }
    }

    private func body(
        _ path: MediaPath,
        _ block: BlockNumber,
        _ kind: MediaKind,
        _ offset: Int,
        _ byteCount: Int,
        _ entityTag: String
    ) -> RecordedBody {
        RecordedBody(
            file: paths.media(of: path.rendition, in: block),
            offset: offset,
            byteCount: byteCount,
            entityTag: entityTag,
            kind: kind,
            fileSystem: fileSystem
        ) { [self] error in
            // The block may have been removed since the bytes were found.
            if state.withLock({ $0.blocks.has(block) }) { _ = failed(error) }
        }
    }

    /// Finds an initialization section; nil if it was not recorded, or is no longer kept.
    func initialization(_ path: MediaPath) throws(RecordingError) -> RecordedBody? {
        do throws(FileError) {
            var body = try RecordedBody(initialization: path, in: paths, fileSystem)
            body?.onFailure = { [self] error in
                // It goes with the last block that needs it.
                if error.code != ENOENT { _ = failed(error) }
            }
            return body
        } catch {
            throw failed(error)
        }
    }

    /// Returns the slots of a range that are within the extent.
    private func covered(_ numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> Range<MediaSequenceNumber> {
        guard let extent else { return numbers.lowerBound..<numbers.lowerBound }
        let covered = numbers.clamped(to: extent)
        guard covered.upperBound.value - covered.lowerBound.value <= Self.longestRange else { throw .tooLong(covered) }
        return covered
    }
}
