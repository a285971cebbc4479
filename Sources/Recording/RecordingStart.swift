import Files
import MediaCore
import NIOCore
import Playlists
import Presentation

/// The recording that an earlier process has left: the names of its blocks, the newest block, and the head of
/// the oldest; nothing else is read.
struct RecordingStart: Sendable {
    /// The blocks, oldest first.
    private(set) var blocks: [BlockNumber] = []
    /// The oldest slot; nil if there is no block.
    private(set) var first: MediaSequenceNumber?
    /// Continues the newest block.
    private(set) var newest: BlockWriter?
    /// Directories of blocks whose index has no head: making or removing them was cut off.
    private(set) var leftovers: [BlockNumber] = []
    private(set) var events: [RecordingEvent] = []
    /// The reason why the head of the oldest block cannot be read; nil if it can be.
    private(set) var unreadable: FileError?

    /// The most bytes of an index.
    static let longestIndex = 1 << 28
    /// The bytes in which its first line lies.
    private static let headCounts = [1 << 14, 1 << 22]
    /// The number of newest slots whose bytes are checked: earlier ones have reached the disk.
    private static let suspectCount = 16

    /// - Throws: ``FileError`` if the directory, or the newest block, cannot be read.
    init(reading paths: RecordingPaths, from fileSystem: any FileSystem) throws(FileError) {
        blocks = try fileSystem.list(paths.directory).compactMap { BlockNumber(name: $0) }.sorted()
        while let last = blocks.last {
            if let writer = try Self.continuation(of: last, paths, fileSystem) {
                newest = writer.writer
                if writer.isTorn {
                    let last = writer.writer.contents.last
                    events.append(.torn(after: last, file: paths.index(of: blocks[blocks.count - 1])))
                }
                break
            }
            leftovers.append(blocks.removeLast())
        }
        while let oldest = blocks.first, first == nil {
            do throws(FileError) {
                first = try Self.firstSlot(of: oldest, paths, fileSystem)
                if first == nil { leftovers.append(blocks.removeFirst()) }
            } catch {
                // The block may be readable later. It stays, from its first possible slot.
                (first, unreadable) = (oldest.numbers.lowerBound, error)
            }
        }
        dropLostSlots(paths, fileSystem)
    }

    /// Reads the index of a block to continue it.
    ///
    /// - Returns: The writer, and true if the end is damaged; nil if the block has no head.
    static func continuation(
        of block: BlockNumber,
        _ paths: RecordingPaths,
        _ fileSystem: any FileSystem
    ) throws(FileError) -> (writer: BlockWriter, isTorn: Bool)? {
        guard let file = try fileSystem.read(paths.index(of: block), limit: longestIndex) else { return nil }
        var lines = CheckedLines(file)
        guard let contents = BlockContents(reading: file, of: block, lines: &lines) else { return nil }
        let writer = BlockWriter(continuing: contents, after: lines, paths: paths, fileSystem: fileSystem)
        return (writer, isTorn: lines.byteCount < file.readableBytes)
    }

    /// Reads the head of a block.
    ///
    /// - Returns: The first slot that it has lines of; nil if it has no head.
    /// - Throws: ``FileError`` if that cannot be read.
    static func firstSlot(
        of block: BlockNumber,
        _ paths: RecordingPaths,
        _ fileSystem: any FileSystem
    ) throws(FileError) -> MediaSequenceNumber? {
        let path = paths.index(of: block)
        guard let count = try fileSystem.byteCount(of: path) else { return nil }
        for headCount in headCounts {
            var lines = CheckedLines(try fileSystem.read(path, 0..<min(count, headCount)))
            guard case .head(let head) = lines.nextRecord() else { continue }
            return block.numbers.contains(head.first) ? head.first : nil
        }
        return nil
    }

    /// Makes gaps of the newest slots whose bytes are missing: lines may survive a power cut without them.
    private mutating func dropLostSlots(_ paths: RecordingPaths, _ fileSystem: any FileSystem) {
        guard let contents = newest?.contents else { return }
        let lost = Self.lostSlots(of: contents, paths, fileSystem)
        if lost.isEmpty { return }
        // If that cannot be written, the next start does it.
        try? newest?.append(.lost(lost))
        events.append(.torn(after: newest?.contents.last, file: paths.directory(of: contents.number)))
    }

    /// Finds the newest slots of a block whose bytes are missing, in order.
    static func lostSlots(
        of contents: BlockContents,
        _ paths: RecordingPaths,
        _ fileSystem: any FileSystem
    ) -> [MediaSequenceNumber] {
        let suspects = contents.slots.values.sorted { $0.slot.number > $1.slot.number }.prefix(suspectCount)
        return suspects.prefix { !isWhole($0, of: contents.number, paths, fileSystem) }.map(\.slot.number).sorted()
    }

    private static func isWhole(
        _ stored: StoredSlot,
        of block: BlockNumber,
        _ paths: RecordingPaths,
        _ fileSystem: any FileSystem
    ) -> Bool {
        stored.offsets.allSatisfy { id, offset in
            guard let segment = stored.slot.segments[id] else { return true }
            guard segment.byteCount <= StoredSlot.longestSegment else { return false }
            let (path, end) = (paths.media(of: id, in: block), offset + segment.byteCount)
            do throws(FileError) {
                guard let count = try fileSystem.byteCount(of: path), end <= count else { return false }
                return ContentHash(of: try fileSystem.read(path, offset..<end)).entityTag == segment.entityTag
            } catch {
                // Bytes that cannot be read are not lost: they may be read later.
                return true
            }
        }
    }
}
