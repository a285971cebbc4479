import Files
import MediaCore
package import NIOCore
import Playlists
package import Presentation
import Synchronization

/// Slots that come later, for instance from the other member of a pair.
extension Recording {
    /// Fills in a slot, or renditions of it, that were not recorded.
    ///
    /// Recorded slots stay as they are: a published line never changes (RFC 8216bis § 6.2.1).
    ///
    /// - Parameters:
    ///   - slot: The slot, with the lines of everything that it had.
    ///   - bodies: The missing bytes, by the paths of the lines; initialization sections that the recording has may be
    ///     left out.
    ///   - declaration: The declaration at the slot, for a time without any recorded slot.
    /// - Throws: ``RecordingError``; then nothing has changed.
    package func insert(
        _ slot: ListedSlot,
        bodies: [String: ByteBuffer],
        declaration: Declaration? = nil
    ) throws(RecordingError) {
        try checkExtent(slot.number)
        try check(slot, bodies)
        try writers.withLock { writers throws(RecordingError) in
            // Meanwhile no block may be removed: it would begin anew, in front of the recording.
            try removal.withLock { _ throws(RecordingError) in
                try checkExtent(slot.number)
                try checkInitializations(of: slot, bodies)
                let stored = try known(slot.number, in: &writers)
                let merged = try slot.keeping(stored, besides: bodies)
                do throws(FileError) {
                    try checkPlace()
                    try fill(merged, { bodies[$0] }, declaration: declaration, &writers)
                } catch {
                    throw .failed(error)
                }
            }
        }
        state.withLock { $0.statistics.filled += 1 }
    }

    private func checkExtent(_ number: MediaSequenceNumber) throws(RecordingError) {
        guard let extent, extent.contains(number) else { throw .outside(number) }
    }

    /// Makes sure that a recorded initialization section does not change: other segments need it.
    private func checkInitializations(
        of slot: ListedSlot,
        _ bodies: [String: ByteBuffer]
    ) throws(RecordingError) {
        for segment in slot.segments.values {
            guard let path = segment.line.map?.uri, let place = MediaPath(path) else { continue }
            // Without its bytes the segment becomes a gap, which needs none.
            guard bodies[segment.line.uri] != nil || bodies[path] != nil else { continue }
            if let known = try initialization(place), known.entityTag != segment.mapEntityTag {
                throw .mismatch(path: path)
            }
        }
    }

    /// Makes sure that bytes are those of the slot, and that its paths stay within the recording.
    private func check(_ slot: ListedSlot, _ bodies: [String: ByteBuffer]) throws(RecordingError) {
        for (id, segment) in slot.segments {
            let files = [(segment.line.uri, segment.entityTag), (segment.line.map?.uri, segment.mapEntityTag)]
            for case (let path?, let tag) in files {
                guard MediaPath(path)?.rendition == id else { throw .mismatch(path: path) }
                guard let body = bodies[path] else { continue }
                guard ContentHash(of: body).entityTag == tag else { throw .mismatch(path: path) }
            }
            guard segment.line.isGap || MediaPath(segment.line.uri)?.number == slot.number else {
                throw .mismatch(path: segment.line.uri)
            }
        }
    }

    /// Returns the slot as it was recorded; nil if it was not.
    ///
    /// - Throws: ``RecordingError/outside(_:)`` if its block has no lines of its time, or
    ///   ``RecordingError/failed(_:)``.
    private func known(
        _ number: MediaSequenceNumber,
        in writers: inout Writers
    ) throws(RecordingError) -> ListedSlot? {
        let contents: BlockContents?
        do throws(FileError) {
            contents = try continued(BlockNumber(of: number), &writers)?.contents
        } catch {
            throw .failed(error)
        }
        guard let contents else { return nil }
        // The recording began in the middle of the block: lines before that, and those after them, are not read.
        guard number >= contents.head.first else { throw .outside(number) }
        return contents.slots[number]?.slot
    }

    /// Returns the writer that continues a block; nil if there is no such block.
    private func continued(_ block: BlockNumber, _ writers: inout Writers) throws(FileError) -> BlockWriter? {
        if let open = writers.open, open.contents.number == block { return open }
        if let filling = writers.filling, filling.contents.number == block { return filling }
        guard state.withLock({ $0.blocks.has(block) }) else { return nil }
        let found = try RecordingStart.continuation(of: block, paths, fileSystem)?.writer
        endFilling(&writers)
        writers.filling = found
        return found
    }

    /// Writes a slot into its block, which is begun if it is missing.
    func fill(
        _ slot: ListedSlot,
        _ body: (String) -> ByteBuffer?,
        declaration: Declaration?,
        _ writers: inout Writers
    ) throws(FileError) {
        let block = BlockNumber(of: slot.number)
        let continued = try continued(block, &writers)
        let before = continued?.contents.slots[slot.number]?.slot
        if var open = continued, open.contents.number == writers.open?.contents.number {
            try open.fill(slot, body, declaration)
            writers.open = open
        } else {
            if writers.filling?.contents.number != block {
                endFilling(&writers)
                let head = BlockHead(
                    first: block.numbers.lowerBound,
                    discontinuities: discontinuities(before: block),
                    declaration: declaration
                )
                writers.filling = try BlockWriter(block, head: head, paths: paths, fileSystem: fileSystem)
            }
            try writers.filling?.fill(slot, body, declaration)
        }
        show(block, &writers)
        if slot.startsDiscontinuity, before?.startsDiscontinuity != true { countDiscontinuity(after: block, &writers) }
    }

    /// Counts a discontinuity that was filled in for the blocks after it, whose heads were written before.
    ///
    /// A block that cannot be written keeps its count, which only EXT-X-DISCONTINUITY-SEQUENCE depends on.
    private func countDiscontinuity(after block: BlockNumber, _ writers: inout Writers) {
        for later in state.withLock({ $0.blocks }) where later > block {
            let isOpen = writers.open?.contents.number == later
            let found = isOpen ? writers.open : (try? RecordingStart.continuation(of: later, paths, fileSystem))?.writer
            guard var writer = found, (try? writer.append(.discontinuities(1))) != nil else { continue }
            if isOpen { writers.open = writer }
            state.withLock { state in
                state.live[later]?.change(writer.contents)
                // The lines that are on the disk, and in the cache, are made again when they are read.
                state.epoch += 1
            }
            synchronize(writer.takeTouched())
            seal(later)
        }
    }

    /// Shows the filled slots to readers; their lines are rendered on request.
    private func show(_ block: BlockNumber, _ writers: inout Writers) {
        let isOpen = writers.open?.contents.number == block
        guard let contents = isOpen ? writers.open?.contents : writers.filling?.contents else { return }
        state.withLock { state in
            var live = state.live[block] ?? LiveBlock(contents, style: style, isOver: !isOpen)
            live.change(contents)
            state.live[block] = live
            state.lost.subtract(contents.slots.keys)
            if !state.blocks.has(block) { state.blocks.insert(block, at: state.blocks.index(notBefore: block)) }
            // If a clock was set back, there are slots before the first one.
            if state.blocks[0] == block { state.first = min(state.first ?? contents.head.first, contents.head.first) }
        }
        synchronize((isOpen ? writers.open?.takeTouched() : writers.filling?.takeTouched()) ?? [])
    }

    /// Makes the file of lines of the block that was filled.
    func endFilling() { writers.withLock { endFilling(&$0) } }

    func endFilling(_ writers: inout Writers) {
        if let block = writers.filling?.contents.number { seal(block) }
        writers.filling = nil
    }
}

extension BlockWriter {
    /// Appends a slot that belongs between others; its declaration counts if the block has none.
    fileprivate mutating func fill(
        _ slot: ListedSlot,
        _ body: (String) -> ByteBuffer?,
        _ declaration: Declaration?
    ) throws(FileError) {
        if let declaration, contents.declarations.isEmpty {
            try append(.declaration(DatedDeclaration(number: contents.head.first, declaration: declaration)))
        }
        try append(slot, body)
    }
}

extension ListedSlot {
    /// Returns the slot merged with its recorded segments, and with gaps that stay.
    ///
    /// - Parameters:
    ///   - known: The slot as it was recorded; nil if it was not.
    ///   - bodies: The other bytes, by their paths.
    /// - Returns: The merged slot.
    /// - Throws: ``RecordingError/mismatch(path:)`` if the two have other bytes for the same path.
    fileprivate func keeping(
        _ known: ListedSlot?,
        besides bodies: [String: ByteBuffer]
    ) throws(RecordingError) -> ListedSlot {
        guard let known else { return self }
        var merged = self
        (merged.startsDiscontinuity, merged.dateRanges) = (known.startsDiscontinuity, known.dateRanges)
        for (id, segment) in known.segments {
            let other = segments[id].flatMap { $0.line.isGap ? nil : $0 }
            if segment.line.isGap, let other, bodies[other.line.uri] != nil { continue }
            if !segment.line.isGap, let other, other.entityTag != segment.entityTag {
                throw .mismatch(path: segment.line.uri)
            }
            merged.segments[id] = segment
        }
        for id in merged.segments.keys { merged.segments[id]?.line.startsDiscontinuity = known.startsDiscontinuity }
        return merged
    }
}
