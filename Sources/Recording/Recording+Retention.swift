import Files
package import MediaCore
import Synchronization

/// The removal of the oldest blocks.
extension Recording {
    /// Removes the oldest blocks beyond the limits, but neither the newest nor those of the live window.
    ///
    /// It takes time. Call it now and then, on another thread than the one that publishes.
    package func prune(now: MediaTime) {
        endFilling()
        // A success right after a failure says little: others read as well.
        let couldRead = state.withLock { state in
            defer { state.couldNotRead = false }
            return !state.couldNotRead
        }
        if couldRead { note(.reading, reason: nil) }
        measure()
        while let oldest, isTooOld(oldest, now) || isTooMuch, removeOldest() != nil {
            measure()
            state.withLock { $0.statistics.removedBlocks += 1 }
        }
    }

    private var oldest: BlockNumber? { state.withLock { $0.blocks.first } }

    private func isTooOld(_ block: BlockNumber, _ now: MediaTime) -> Bool {
        guard let age = limits.age else { return false }
        return style.segmentDuration * block.numbers.upperBound.value + age <= now
    }

    /// True if all blocks together had more bytes than allowed when they were measured.
    private var isTooMuch: Bool {
        guard let limit = limits.byteCount else { return false }
        return state.withLock { $0.statistics.byteCount } > limit
    }

    /// Counts the bytes of all blocks; a block that is over is measured once.
    package func measure() {
        let (blocks, live) = state.withLock { (Set($0.blocks), Set($0.live.keys)) }
        var sizes = removal.withLock { $0 }.filter { blocks.contains($0.key) && !live.contains($0.key) }
        for block in blocks where sizes[block] == nil { sizes[block] = byteCount(of: block) }
        let count = sizes.values.reduce(0, +)
        // A live block still grows, also between this look and the next, by which it may be over.
        removal.withLock { [sizes] in $0 = sizes.filter { !live.contains($0.key) } }
        state.withLock { $0.statistics.byteCount = count }
    }

    private func byteCount(of block: BlockNumber) -> Int {
        let directory = paths.directory(of: block)
        let names = (try? fileSystem.list(directory)) ?? []
        return names.reduce(0) { $0 + ((try? fileSystem.byteCount(of: "\(directory)/\($1)")) ?? 0) }
    }

    /// Removes the oldest block, unless live viewers may still ask for its slots.
    ///
    /// - Parameter mayBeNewest: True if the block may be the newest as well, because another one is about to begin.
    /// - Returns: The slots of the block; nil if nothing can be removed.
    func removeOldest(mayBeNewest: Bool = false) -> Range<MediaSequenceNumber>? {
        removal.withLock { _ in
            // It disappears for readers first, so that they do not open it.
            let found = state.withLock { state -> (slots: Range<MediaSequenceNumber>, newest: LiveBlock?)? in
                guard let block = state.blocks.first, let first = state.first else { return nil }
                let isNewest = state.blocks.count == 1
                if isNewest, !mayBeNewest || state.oldestServed == nil { return nil }
                if let served = state.oldestServed, served < block.numbers.upperBound { return nil }
                state.blocks.removeFirst()
                let live = state.live.removeValue(forKey: block)
                state.damaged.remove(block)
                state.first = state.blocks.first?.numbers.lowerBound
                let rest = state.first ?? block.numbers.upperBound
                state.lost = state.lost.filter { $0 >= rest }
                let start = block.numbers.contains(first) ? first : block.numbers.lowerBound
                return (start..<block.numbers.upperBound, isNewest ? live : nil)
            }
            guard let (removed, newest) = found else { return nil }
            let block = BlockNumber(of: removed.lowerBound)
            do throws(FileError) {
                try removeFiles(of: block)
                note(.removal, reason: nil)
                return removed
            } catch {
                // Its index is removed last, so that the next attempt goes on from there.
                state.withLock { state in
                    state.blocks.insert(block, at: 0)
                    state.first = removed.lowerBound
                    // The end of the recording is that of its newest block.
                    if let newest { state.live[block] = newest }
                }
                note(.removal, reason: "\(error)")
                return nil
            }
        }
    }

    /// Removes the files of a block, and initialization sections that no later one needs; the index goes last.
    func removeFiles(of block: BlockNumber) throws(FileError) {
        try checkPlace()
        for path in initializations(of: block) {
            guard let place = MediaPath(path).map(paths.initialization),
                let file = try fileSystem.read(place, limit: StoredInitialization.limit)
            else { continue }
            if StoredInitialization(file).map({ $0.lastBlock <= block.value }) ?? true { try fileSystem.remove(place) }
        }
        let directory = paths.directory(of: block)
        for name in try fileSystem.list(directory) where name != "index" {
            try fileSystem.remove("\(directory)/\(name)")
        }
        try fileSystem.remove(paths.index(of: block))
        try fileSystem.removeDirectory(directory)
    }

    private func initializations(of block: BlockNumber) -> Set<String> {
        let found = try? RecordingStart.continuation(of: block, paths, fileSystem)
        return found?.writer.contents.initializations ?? []
    }
}
