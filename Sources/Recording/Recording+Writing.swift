import Dispatch
import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization

/// The lines and bytes that a ``Recorder`` writes.
extension Recording {
    /// Records a slot, unless it is recorded already.
    ///
    /// A slot that is older than the newest fills a hole, or replaces a slot with other bytes.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - body: Returns the bytes of a path that its lines name; nil if there are none.
    func record(_ slot: ListedSlot, _ body: (String) -> ByteBuffer?) {
        let outcome = writers.withLock { writers -> Result<Bool, FileError> in
            do throws(FileError) {
                if let newest = writers.open?.contents.last, slot.number <= newest {
                    guard try isNews(slot) else { return .success(false) }
                    try withRoom(&writers) { writers throws(FileError) in
                        do throws(FileError) {
                            try fill(slot, body, declaration: nil, &writers)
                        } catch {
                            // The block that makes room may be the one that was filled.
                            endFilling(&writers)
                            throw error
                        }
                    }
                    if slot.number == newest { writers.newest = slot }
                } else {
                    try append(slot, body, &writers)
                }
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let isNew):
            state.withLock { $0.statistics.written += isNew ? 1 : 0 }
            note(.writing, reason: nil)
        case .failure(let error):
            state.withLock { state in
                state.statistics.unwritten += 1
                state.lost.insert(slot.number)
            }
            note(.writing, reason: "\(error)")
        }
    }

    /// Notes the description that viewers have from the newest slot on.
    func declare(_ declaration: Declaration) {
        let problem = writers.withLock { writers -> FileError? in
            guard writers.declaration != declaration else { return nil }
            writers.declaration = declaration
            // Without a block it is in the head of the first.
            guard let contents = writers.open?.contents else { return nil }
            let dated = DatedDeclaration(number: contents.last ?? contents.head.first, declaration: declaration)
            do throws(FileError) {
                try withRoom(&writers) { writers throws(FileError) in
                    try writers.open?.append(.declaration(dated))
                }
            } catch {
                return error
            }
            publish(&writers.open)
            return nil
        }
        // The next slot shows if the problem is over.
        if let problem { note(.writing, reason: "\(problem)") }
    }

    /// Returns true if the recording has no line of a slot, or another one.
    ///
    /// If a process ends before viewers see a recorded slot, the next process may publish it with other bytes. The
    /// recorded slot may be in an older block.
    ///
    /// - Throws: `FileError` if that block cannot be read.
    private func isNews(_ slot: ListedSlot) throws(FileError) -> Bool {
        let block = BlockNumber(of: slot.number)
        let found: BlockContents?
        switch place(of: block) {
        case .missing: return true
        case .sealed:
            do throws(RecordingError) {
                found = try contents(of: block)
            } catch {
                // Otherwise the slot would be lost without a report.
                if case .failed(let error) = error { throw error }
                found = nil
            }
        case .live(let live): found = live.contents
        }
        guard let found, slot.number >= found.head.first else { return false }
        let known = found.slots[slot.number]?.slot
        return known?.segments.mapValues(\.entityTag) != slot.segments.mapValues(\.entityTag)
    }

    /// Appends a slot that is newer than all, and begins a block if it is the first of one.
    private func append(
        _ slot: ListedSlot,
        _ body: (String) -> ByteBuffer?,
        _ writers: inout Writers
    ) throws(FileError) {
        var slot = slot
        if let newest = writers.newest, !slot.continues(newest) { slot.markDiscontinuity() }
        let block = BlockNumber(of: slot.number)
        let head = writers.open?.contents.number == block ? nil : head(of: block, with: slot, writers)
        try withRoom(&writers, beginsBlock: head != nil) { writers throws(FileError) in
            if let head {
                var writer = try BlockWriter(block, head: head, paths: paths, fileSystem: fileSystem)
                try writer.append(slot, body)
                (writers.open, writers.removed) = (writer, nil)
            } else {
                try writers.open?.append(slot, body)
            }
        }
        writers.newest = slot
        publish(&writers.open)
    }

    /// Returns the head of the block that a slot begins.
    private func head(of block: BlockNumber, with slot: ListedSlot, _ writers: Writers) -> BlockHead {
        // The first slot of all is the start of the recording; later, slots before it in its block are missing.
        guard let previous = writers.open?.contents ?? writers.removed else {
            return BlockHead(first: slot.number, discontinuities: 0, declaration: writers.declaration)
        }
        return BlockHead(
            first: block.numbers.lowerBound,
            discontinuities: previous.discontinuitiesAfter,
            carried: previous.ranges(reaching: style.segmentDuration * block.numbers.lowerBound.value),
            declaration: writers.declaration
        )
    }

    /// Shows the appended slots to readers, and synchronizes them with the disk.
    ///
    /// The block before is over.
    private func publish(_ writer: inout BlockWriter?) {
        guard let contents = writer?.contents else { return }
        let over = state.withLock { state -> BlockNumber? in
            if state.live[contents.number] != nil {
                state.live[contents.number]?.extend(contents)
                return nil
            }
            let over = state.blocks.last
            if let over { state.live[over]?.close() }
            state.live[contents.number] = LiveBlock(contents, style: style, isOver: false)
            state.blocks.append(contents.number)
            state.first = state.first ?? contents.head.first
            return over
        }
        synchronize(writer?.takeTouched() ?? [])
        if let over { seal(over) }
    }

    /// Makes the file of lines of a block that is over, on a thread of its own; until then its lines are in memory.
    func seal(_ block: BlockNumber) {
        sealing.async { [self] in
            guard let live = state.withLock({ $0.live[block] }), live.isOver else { return }
            let problem = writeLines(of: live)
            // If they cannot be stored, they are made again on request.
            let isKept = state.withLock { state in
                if state.live[block]?.revision == live.revision {
                    state.live[block] = nil
                    state.epoch += 1
                }
                return state.blocks.has(block)
            }
            // The block was removed meanwhile.
            if !isKept { try? removeFiles(of: block) }
            if let problem, !problem.isOutOfRoom { note(.writing, reason: "\(problem)") }
        }
    }

    private func writeLines(of live: LiveBlock) -> FileError? {
        let block = live.contents.number
        do throws(FileError) {
            try checkPlace()
            let count = try fileSystem.byteCount(of: paths.index(of: block)) ?? 0
            let file = try lines(of: live.contents, live.wholeLines, indexByteCount: count)
            try fileSystem.replace(paths.lines(of: block), file)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the file of lines of a block.
    func lines(
        of contents: BlockContents,
        _ lines: [RenditionLines],
        indexByteCount: Int
    ) throws(FileError) -> ByteBuffer {
        do {
            return try SealedBlock.file(of: contents, lines: lines, indexByteCount: indexByteCount, style: style)
        } catch {
            throw FileError(operation: "encode", path: paths.lines(of: contents.number), reason: "\(error)")
        }
    }

    /// Writes where the recording was opened, and removes the oldest blocks while the disk is full; the newest as well,
    /// if the write begins another one.
    private func withRoom(
        _ writers: inout Writers,
        beginsBlock: Bool = false,
        _ write: (inout Writers) throws(FileError) -> Void
    ) throws(FileError) {
        while true {
            do throws(FileError) {
                try checkPlace()
                return try write(&writers)
            } catch {
                guard error.isOutOfRoom, let shed = removeOldest(mayBeNewest: beginsBlock) else { throw error }
                if let open = writers.open, shed.contains(open.contents.head.first) {
                    (writers.open, writers.removed) = (nil, open.contents)
                }
                state.withLock { state in
                    state.statistics.shedBlocks += 1
                    state.statistics.shedSlots += shed.count
                }
                onEvent(.shed(shed))
            }
        }
    }

    /// Synchronizes files with the disk soon.
    func synchronize(_ files: [String]) {
        synchronizer.synchronize(files) { [self] problem in
            note(.synchronization, reason: problem.map { "\($0)" })
        }
    }
}

extension ListedSlot {
    /// Returns true if players can go on from an earlier slot, although slots in between may be missing.
    fileprivate func continues(_ earlier: ListedSlot) -> Bool {
        if earlier.number.next == number { return true }
        return segments.allSatisfy { id, segment in
            guard let before = earlier.segments[id]?.fingerprint, let now = segment.fingerprint else { return true }
            return before == now
        }
    }

    fileprivate mutating func markDiscontinuity() {
        startsDiscontinuity = true
        for id in segments.keys { segments[id]?.line.startsDiscontinuity = true }
    }
}
