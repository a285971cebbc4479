package import Files
package import MediaCore
import NIOCore
package import Playlists
package import Presentation
import Synchronization

/// A recording that is only read.
///
/// Nothing in it is locked, made or repaired, and another process may be writing to it.
///
/// It has the slots that existed when it was opened, as the indexes of blocks list them. The lines of playlists,
/// which depend on settings of the channel, are not needed.
package final class RecordingReader: Sendable {
    /// The length of a slot.
    package let segmentDuration: MediaTime
    /// The slots from the oldest to behind the newest; nil if there are none.
    package let extent: Range<MediaSequenceNumber>?

    private let paths: RecordingPaths
    private let fileSystem: any FileSystem
    /// The blocks, oldest first.
    private let blocks: [BlockNumber]
    /// The newest block, up to the time of opening.
    private let newest: BlockContents?
    /// The blocks that were read last, the newer one last: a step of slots may touch two.
    private let recent = Mutex<[BlockContents]>([])

    /// The lengths that a slot may have.
    private static let durations = MediaTime(milliseconds: 100)...MediaTime(seconds: 60)

    /// Opens the recording of a channel for reading.
    ///
    /// Reads the names of its blocks, the index of the newest and the head of the oldest.
    ///
    /// - Parameters:
    ///   - directory: The directory of the recording.
    ///   - channel: The channel's name.
    ///   - fileSystem: The file system that the directory is in.
    /// - Throws: ``RecordingError`` if the directory cannot be read, or is no recording, or that of another channel.
    package init(
        _ directory: String,
        channel: String,
        fileSystem: any FileSystem = LocalFileSystem.confidential
    ) throws(RecordingError) {
        let paths = RecordingPaths(directory: directory + "/.")
        let document = try RecordingReader.document(paths, of: directory, channel, fileSystem)
        let start: Start
        do throws(FileError) {
            start = try Start(paths, fileSystem)
        } catch {
            throw .unusable(error)
        }
        segmentDuration = MediaTime(ticks: document.segmentDuration)
        extent = start.extent
        (self.paths, self.fileSystem) = (paths, fileSystem)
        (blocks, newest) = (start.blocks, start.newest)
    }

    /// Reads the document that says what a directory is, and makes sure that it can be read as the recording of a
    /// channel.
    private static func document(
        _ paths: RecordingPaths,
        of directory: String,
        _ channel: String,
        _ fileSystem: any FileSystem
    ) throws(RecordingError) -> RecordingDocument {
        let text: ByteBuffer?
        do throws(FileError) {
            text = try fileSystem.read(paths.document, limit: RecordingDocument.limit)
        } catch {
            throw .unusable(error)
        }
        guard let text else {
            let reason = "it has no recording.json; give the channel's directory below --record"
            throw .noRecording(directory: directory, reason: reason)
        }
        let document: RecordingDocument
        do throws(RecordingError) {
            document = try RecordingDocument(reading: text, in: directory)
        } catch {
            guard case .foreign = error else { throw error }
            throw .noRecording(
                directory: directory,
                reason: "its recording.json is damaged, or written by other software"
            )
        }
        let name = document.identity["name"] ?? channel
        guard name == channel else {
            throw .noRecording(directory: directory, reason: "it is that of \(name.prefix(100))")
        }
        guard durations.contains(MediaTime(ticks: document.segmentDuration)) else {
            throw .noRecording(directory: directory, reason: "its segment duration is not one that a channel can have")
        }
        return document
    }

    /// Returns the slots of a range that were recorded, as they were listed.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read.
    package func slots(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [ListedSlot] {
        guard let extent else { return [] }
        var slots: [ListedSlot] = []
        for (block, members) in numbers.clamped(to: extent).byBlock {
            guard let contents = try contents(of: block) else { continue }
            slots += members.compactMap { contents.slots[$0]?.slot }
        }
        return slots
    }

    /// Returns the declarations in force at some slots, oldest first; those of blocks without any are left out.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read.
    package func declarations(in numbers: Range<MediaSequenceNumber>) throws(RecordingError) -> [Declaration] {
        guard let extent else { return [] }
        var found: [Declaration] = []
        for (block, members) in numbers.clamped(to: extent).byBlock {
            if let contents = try contents(of: block) { found += BlockMetadata(contents).declarations(in: members) }
        }
        return found
    }

    /// Returns the date ranges that began before a slot and are not over at it.
    ///
    /// - Throws: ``RecordingError`` if the disk cannot be read.
    package func dateRanges(openAt number: MediaSequenceNumber) throws(RecordingError) -> [DateRange] {
        guard let contents = try contents(of: BlockNumber(of: number)) else { return [] }
        return BlockMetadata(contents).ranges(openAt: number, segmentDuration * number.value)
    }

    /// Finds the bytes at a path of live media.
    ///
    /// - Parameter path: `RENDITION/SEQUENCE.m4s` or `RENDITION/init-HASH.mp4`.
    /// - Returns: The place of the bytes; nil if they were not recorded, or are no longer kept.
    /// - Throws: ``RecordingError/failed(_:)`` if the disk cannot be read, or has a segment that is beyond reason.
    package func body(_ path: String) throws(RecordingError) -> RecordedBody? {
        guard let path = MediaPath(path) else { return nil }
        guard let number = path.number else { return try initialization(path) }
        let block = BlockNumber(of: number)
        guard let stored = try contents(of: block)?.slots[number], let offset = stored.offsets[path.rendition],
            let segment = stored.slot.segments[path.rendition], segment.line.uri == path.description
        else { return nil }
        let file = paths.media(of: path.rendition, in: block)
        guard segment.byteCount <= StoredSlot.longestSegment else {
            let reason = "\(path) has more bytes than any segment"
            throw .failed(FileError(operation: "read", path: file, reason: reason))
        }
        return RecordedBody(
            file: file,
            offset: offset,
            byteCount: segment.byteCount,
            entityTag: segment.entityTag ?? "",
            kind: segment.kind,
            fileSystem: fileSystem
        )
    }

    private func initialization(_ path: MediaPath) throws(RecordingError) -> RecordedBody? {
        do throws(FileError) {
            return try RecordedBody(initialization: path, in: paths, fileSystem)
        } catch {
            throw .failed(error)
        }
    }

    /// Reads the index of a block; returns nil if it is missing.
    private func contents(of block: BlockNumber) throws(RecordingError) -> BlockContents? {
        if let newest, newest.number == block { return newest }
        guard blocks.has(block) else { return nil }
        if let known = recent.withLock({ $0.first { $0.number == block } }) { return known }
        do throws(FileError) {
            guard let found = try RecordingStart.continuation(of: block, paths, fileSystem)?.writer.contents else {
                return nil
            }
            recent.withLock { $0 = Array($0.suffix(1)) + [found] }
            return found
        } catch {
            throw .failed(error)
        }
    }

    /// The recording on disk.
    private struct Start {
        var blocks: [BlockNumber] = []
        var first: MediaSequenceNumber?
        var newest: BlockContents?

        /// - Throws: `FileError` if the directory, or its newest or oldest block, cannot be read.
        init(_ paths: RecordingPaths, _ fileSystem: any FileSystem) throws(FileError) {
            blocks = try fileSystem.list(paths.directory).compactMap { BlockNumber(name: $0) }.sorted()
            while let block = blocks.last, newest == nil {
                newest = try RecordingStart.continuation(of: block, paths, fileSystem)?.writer.contents
                if newest == nil { blocks.removeLast() }
            }
            if let contents = newest {
                let lost = RecordingStart.lostSlots(of: contents, paths, fileSystem)
                if !lost.isEmpty { _ = newest?.apply(.lost(lost)) }
            }
            while let block = blocks.first, first == nil {
                first = try RecordingStart.firstSlot(of: block, paths, fileSystem)
                if first == nil { blocks.removeFirst() }
            }
        }

        var extent: Range<MediaSequenceNumber>? {
            guard let first, let newest else { return nil }
            let end = newest.last?.next ?? newest.head.first
            return first < end ? first..<end : nil
        }
    }
}
