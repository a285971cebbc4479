import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization

/// Blocks, wherever they are: in memory, in the cache or on the disk.
extension Recording {
    /// The place of a block.
    enum Place: Sendable {
        case live(LiveBlock)
        /// The block is on the disk; the number is the epoch of its cached pieces.
        case sealed(Int)
        case missing
    }

    func place(of block: BlockNumber) -> Place {
        state.withLock { state in
            if let live = state.live[block] { return .live(live) }
            return state.blocks.has(block) ? .sealed(state.epoch) : .missing
        }
    }

    /// Returns the lines of a playlist in a block, which are gaps if it has none, and the rendered text of all of them
    /// if the block is over.
    ///
    /// They are kept in the cache unless `isKept` is false.
    func lines(
        of id: RenditionID,
        in block: BlockNumber,
        isKept: Bool = true
    ) throws(RecordingError) -> (lines: RenditionLines, whole: RecordedLines?) {
        switch place(of: block) {
        case .live(let live): return (live.lines(of: id), nil)
        case .sealed(let epoch):
            if let found = try sealedLines(of: id, in: block, epoch, isKept: isKept) { return found }
        case .missing: break
        }
        let head = BlockHead(first: block.numbers.lowerBound, discontinuities: discontinuities(before: block))
        let contents = BlockContents(block, head: head)
        return (contents.gaps(of: id, through: block.numbers.upperBound, style: style, isWhole: false), nil)
    }

    /// Returns the lines of a playlist in a block on the disk; nil if the block cannot be read any more.
    private func sealedLines(
        of id: RenditionID,
        in block: BlockNumber,
        _ epoch: Int,
        isKept: Bool
    ) throws(RecordingError) -> (lines: RenditionLines, whole: RecordedLines?)? {
        let key = BlockCache.Key(recording: number, epoch: epoch, block: block, piece: .lines(id))
        if case .lines(let lines, let whole)? = cache[key] { return (lines, whole) }
        guard let table = try table(of: block, epoch) else { return nil }
        let lines: RenditionLines
        if let place = table.sections[id], let section = place.section {
            let bytes = try read(place, of: block)
            if let bytes, let read = RenditionLines(bytes, of: section, in: table) {
                lines = read
            } else {
                // The file is damaged, and made again.
                guard let made = try rebuild(block)?.lines.first(where: { $0.section.id == id }) else { return nil }
                lines = made
            }
        } else {
            guard let contents = try contents(of: block) else { return nil }
            lines = contents.gaps(of: id, through: block.numbers.upperBound, style: style, isWhole: true)
        }
        let whole = lines.lines(in: lines.numbers)
        if isKept { cache.insert(.lines(lines, whole: whole), byteCount: lines.byteCount, for: key) }
        return (lines, whole)
    }

    /// Returns the facts of a block that no lines have; nil if it is missing.
    func story(of block: BlockNumber) throws(RecordingError) -> BlockMetadata? {
        switch place(of: block) {
        case .live(let live): return BlockMetadata(live.contents)
        case .missing: return nil
        case .sealed(let epoch):
            let key = BlockCache.Key(recording: number, epoch: epoch, block: block, piece: .story)
            if case .story(let story)? = cache[key] { return story }
            guard let table = try table(of: block, epoch) else { return nil }
            let bytes = try read(table.story, of: block)
            let story: BlockMetadata
            if let bytes, let read = try? BlockMetadata(reading: bytes) {
                story = read
            } else {
                guard let contents = try contents(of: block) else { return nil }
                story = BlockMetadata(contents)
            }
            cache.insert(.story(story), byteCount: table.story.range.count, for: key)
            return story
        }
    }

    /// Returns the table of the lines of a block on the disk; nil if the block cannot be read any more.
    func table(of block: BlockNumber, _ epoch: Int) throws(RecordingError) -> SealedBlock? {
        let key = BlockCache.Key(recording: number, epoch: epoch, block: block, piece: .table)
        if case .table(let table)? = cache[key] { return table }
        var found = try readTable(of: block)
        if found == nil { found = try rebuild(block)?.table }
        guard let table = found else { return nil }
        cache.insert(.table(table), byteCount: 256 * (table.sections.count + 1), for: key)
        return table
    }

    /// Reads the table of a block.
    ///
    /// - Returns: Nil if it has to be made again.
    private func readTable(of block: BlockNumber) throws(RecordingError) -> SealedBlock? {
        let path = paths.lines(of: block)
        do throws(FileError) {
            guard let count = try fileSystem.byteCount(of: path), count >= SealedBlock.headCount else { return nil }
            let head = try fileSystem.read(path, 0..<SealedBlock.headCount)
            guard let tableCount = SealedBlock.tableCount(head), count >= SealedBlock.headCount + tableCount else {
                return nil
            }
            let bytes = try fileSystem.read(path, SealedBlock.headCount..<SealedBlock.headCount + tableCount)
            guard let table = SealedBlock(head: head, table: bytes), table.style == style.mark,
                try fileSystem.byteCount(of: paths.index(of: block)) == table.indexByteCount
            else { return nil }
            return table
        } catch {
            throw failed(error)
        }
    }

    /// Reads a piece of a block's lines; nil if it is damaged.
    private func read(_ place: SealedBlock.Place, of block: BlockNumber) throws(RecordingError) -> ByteBuffer? {
        let path = paths.lines(of: block)
        do throws(FileError) {
            guard let count = try fileSystem.byteCount(of: path), place.range.upperBound <= count else { return nil }
            let bytes = try fileSystem.read(path, place.range)
            return place.isWhole(bytes) ? bytes : nil
        } catch {
            throw failed(error)
        }
    }

    /// Makes the lines of a block again from its index.
    ///
    /// - Returns: Nil if the index cannot be read any more.
    private func rebuild(_ block: BlockNumber) throws(RecordingError) -> (table: SealedBlock, lines: [RenditionLines])?
    {
        guard let contents = try contents(of: block) else { return nil }
        let lines = LiveBlock(contents, style: style, isOver: true).wholeLines
        do throws(FileError) {
            let count = try fileSystem.byteCount(of: paths.index(of: block)) ?? 0
            let file = try self.lines(of: contents, lines, indexByteCount: count)
            // If it cannot be stored, it is made again at the next request.
            try? fileSystem.replace(paths.lines(of: block), file)
            guard let head = file.getSlice(at: 0, length: SealedBlock.headCount),
                let tableCount = SealedBlock.tableCount(head),
                let bytes = file.getSlice(at: SealedBlock.headCount, length: tableCount),
                let table = SealedBlock(head: head, table: bytes)
            else { return nil }
            return (table, lines)
        } catch {
            throw failed(error)
        }
    }

    /// Reads the index of a block on the disk.
    ///
    /// - Returns: Nil if it has lost its head: then all of the block is missing.
    func contents(of block: BlockNumber) throws(RecordingError) -> BlockContents? {
        do throws(FileError) {
            let found = try RecordingStart.continuation(of: block, paths, fileSystem)
            if found?.isTorn ?? true {
                report(.torn(after: found?.writer.contents.last, file: paths.index(of: block)), of: block)
            }
            return found?.writer.contents
        } catch {
            throw failed(error)
        }
    }

    /// The number of discontinuities before a block that is missing, or damaged.
    func discontinuities(before block: BlockNumber) -> Int {
        let next = state.withLock { state -> BlockNumber? in
            let index = state.blocks.index(notBefore: block.next)
            return index < state.blocks.endIndex ? state.blocks[index] : nil
        }
        guard let next else { return 0 }
        switch place(of: next) {
        case .live(let live): return live.contents.head.discontinuities
        case .sealed(let epoch): return (try? table(of: next, epoch))?.discontinuities ?? 0
        case .missing: return 0
        }
    }

    /// Reports the damage of a block, once.
    private func report(_ damage: RecordingEvent, of block: BlockNumber) {
        let isNews = state.withLock { $0.blocks.has(block) && $0.damaged.insert(block).inserted }
        if isNews { onEvent(damage) }
    }

    /// Notes an error of reading.
    func failed(_ error: FileError) -> RecordingError {
        state.withLock { $0.couldNotRead = true }
        note(.reading, reason: "\(error)")
        return .failed(error)
    }
}
