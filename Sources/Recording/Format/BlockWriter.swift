import Files
import FoundationEssentials
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation

/// Appends slots to the files of a block: first their bytes, then the line that names them.
///
/// A failed call leaves bytes after the ends that lines state; the next call overwrites them.
struct BlockWriter: Sendable {
    /// The contents of the index.
    private(set) var contents: BlockContents
    private let paths: RecordingPaths
    private let fileSystem: any FileSystem
    private var text: CheckedText
    /// The place of the next line.
    private var offset: Int
    /// The initialization sections that are known to stay as long as the block.
    private var kept: Set<String> = []
    /// The files that were written since the last call of ``takeTouched()``.
    private var touched: Set<String> = []

    /// Begins a block.
    init(
        _ number: BlockNumber,
        head: BlockHead,
        paths: RecordingPaths,
        fileSystem: any FileSystem
    ) throws(FileError) {
        (contents, offset, text) = (BlockContents(number, head: head), 0, CheckedText())
        (self.paths, self.fileSystem) = (paths, fileSystem)
        let line = try line(.head(head))
        try fileSystem.create(paths.index(of: number), line)
        offset = line.readableBytes
    }

    /// Continues a block after the lines that were read.
    init(
        continuing contents: BlockContents,
        after lines: CheckedLines,
        paths: RecordingPaths,
        fileSystem: any FileSystem
    ) {
        (self.contents, offset, text) = (contents, lines.byteCount, lines.text)
        (self.paths, self.fileSystem) = (paths, fileSystem)
    }

    /// Appends a slot; segments whose bytes are missing become gaps.
    ///
    /// - Parameters:
    ///   - slot: The slot. Segments that the block has already, with the same bytes, stay where they are.
    ///   - body: Returns the bytes of a path; nil if there are none.
    /// - Throws: `FileError` if a file of the block, or an initialization section, cannot be read or written.
    mutating func append(_ slot: ListedSlot, _ body: (String) -> ByteBuffer?) throws(FileError) {
        let known = contents.slots[slot.number]
        var stored = StoredSlot(slot: slot)
        for (id, segment) in slot.segments.sorted(by: { $0.key.name < $1.key.name }) {
            if let map = segment.line.map, try !keep(map.uri, segment.kind, body(map.uri)) {
                stored.slot.segments[id]?.lose()
                stored.slot.segments[id]?.line.map = nil
                stored.slot.segments[id]?.line.keys = []
            } else if segment.line.isGap {
                continue
            } else if let offset = known?.offsets[id], known?.slot.segments[id]?.entityTag == segment.entityTag {
                stored.offsets[id] = offset
            } else if let bytes = body(segment.line.uri), bytes.readableBytes == segment.byteCount {
                stored.offsets[id] = try write(bytes, of: id)
            } else {
                stored.slot.segments[id]?.lose()
            }
        }
        try append(.slot(SlotRecord(stored.slot, after: contents.newest), offsets: stored.offsets))
    }

    /// Appends a line to the index.
    mutating func append(_ record: IndexRecord) throws(FileError) {
        let before = text
        let line = try line(record)
        do throws(FileError) {
            try fileSystem.write(line, to: paths.index(of: contents.number), at: offset)
        } catch {
            text = before
            guard error.code == ENOENT else { throw error }
            return try writeIndex(adding: record)
        }
        offset += line.readableBytes
        touched.insert(paths.index(of: contents.number))
        _ = contents.apply(record)
    }

    /// Writes an index that was removed again, with another line.
    private mutating func writeIndex(adding record: IndexRecord) throws(FileError) {
        var writer = self
        _ = writer.contents.apply(record)
        writer.text = CheckedText()
        var file = ByteBuffer()
        for record in writer.contents.takeRecords() {
            file.writeImmutableBuffer(try writer.line(record))
        }
        try fileSystem.replace(paths.index(of: contents.number), file)
        writer.offset = file.readableBytes
        writer.touched.insert(paths.index(of: contents.number))
        self = writer
    }

    /// Returns the files that were written since the last call.
    mutating func takeTouched() -> [String] {
        defer { touched = [] }
        // The line comes last: it names the bytes of the others.
        let index = paths.index(of: contents.number)
        return touched.filter { $0 != index }.sorted() + (touched.contains(index) ? [index] : [])
    }

    private mutating func line(_ record: IndexRecord) throws(FileError) -> ByteBuffer {
        do {
            return text.line(try JSONEncoder.canonical.encode(record))
        } catch {
            throw FileError(operation: "encode", path: paths.index(of: contents.number), reason: "\(error)")
        }
    }

    /// Finds the place of a segment in the file of its rendition.
    ///
    /// Large segments begin with a page of the kernel: clients on the same machine copy those of other places at two
    /// thirds of the speed.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of the segment.
    ///   - end: The end of the segment before.
    /// - Returns: The offset of its first byte.
    private static func place(of byteCount: Int, after end: Int) -> Int {
        byteCount < 16 * pageSize ? end : (end + pageSize - 1) / pageSize * pageSize
    }

    private static let pageSize = 4096

    /// Appends a segment to the file of its rendition.
    ///
    /// - Returns: Its place.
    private mutating func write(_ bytes: ByteBuffer, of id: RenditionID) throws(FileError) -> Int {
        let path = paths.media(of: id, in: contents.number)
        let place = Self.place(of: bytes.readableBytes, after: contents.ends[id] ?? 0)
        if place == 0 {
            try fileSystem.create(path, bytes)
        } else {
            do throws(FileError) {
                try fileSystem.write(bytes, to: path, at: place)
            } catch {
                // A power cut may have taken the file, and left the lines.
                guard error.code == ENOENT else { throw error }
                try fileSystem.create(path, ByteBuffer())
                try fileSystem.write(bytes, to: path, at: place)
            }
        }
        touched.insert(path)
        return place
    }

    /// Makes sure that an initialization section stays as long as the block.
    ///
    /// - Returns: False if its bytes are missing.
    private mutating func keep(_ path: String, _ kind: MediaKind, _ bytes: ByteBuffer?) throws(FileError) -> Bool {
        if kept.contains(path) { return true }
        guard let place = MediaPath(path).map(paths.initialization) else { return false }
        let found = try fileSystem.read(place, limit: StoredInitialization.limit).flatMap { StoredInitialization($0) }
        if let found, bytes.map({ $0 == found.bytes }) ?? true {
            if found.lastBlock < contents.number.value {
                try fileSystem.write(ByteBuffer(integer: contents.number.value), to: place, at: 0)
            }
        } else if let bytes {
            let section = StoredInitialization(lastBlock: contents.number.value, kind: kind, bytes: bytes)
            // The file is replaced as a whole, because a later slot without its bytes could not detect half a file.
            try fileSystem.replace(place, section.file)
        } else {
            return false
        }
        kept.insert(path)
        touched.insert(place)
        return true
    }
}
