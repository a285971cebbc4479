import Files
import MediaCore
import NIOCore
import Playlists
import Presentation

/// Decides which data of a publication is written to which file.
///
///     DIR/NAME/lock                          held while the process lives
///     DIR/NAME/journal-0, journal-1          in turn: a header, then a line a slot or part; both keep their room
///     DIR/NAME/media/RENDITION/448812000.m4s what listed lines name
///
/// Bytes are written first, then the line that names them; then unnamed files are removed. When a file is full, the
/// other one begins with the whole window; until its header is whole, the full file remains the newest.
///
/// A segment is its parts end to end, so its file grows with them. Only the slot that an earlier process has begun is
/// written twice.
struct JournalWriter: Sendable {
    private let paths: JournalPaths
    private let configuration: [String: String]
    private let fileSystem: any FileSystem
    /// False if segments are kept elsewhere; then files have parts of open slots and of gaps alone.
    private let keepsMedia: Bool
    private let minimumCapacity: Int

    /// The file with the newest whole line, which gets the next one.
    private var file: Int
    private var generation: Int
    private var offset = 0
    private var text = JournalText()
    /// Bytes that each file has room for.
    private var capacities: [Int]
    /// The window as of the newest line; nil if the next one must be a header.
    private var written: SavedWindow?
    /// The newest published window, written or not.
    private var newest: SavedWindow?
    /// The parts of its newest slots, and of those after it, whose bytes are on the disk.
    private var parts: SavedParts
    /// The files of segments that are not whole, with the bytes that parts have brought.
    private var growing: [String: Growth]
    /// True if a line of a part could not be written; the next line of a slot includes it.
    private var hasLostPart = false
    /// Files that are whole, with the last slot that needs each.
    private var spooled: [String: MediaSequenceNumber]
    /// Files that nothing names; they go once the journal is written.
    private var strays: [String]

    /// The result of writing a publication.
    struct Outcome: Sendable {
        var mediaProblem: String?
        var recordProblem: String?
        /// True if a line was to be written.
        var isRecorded = true
        /// Segments and initialization sections that could not be kept.
        var lostCount = 0
        /// Files that were written.
        var touched: [String] = []
    }

    /// Continues from the state on the disk, with files that hold at least so many bytes each.
    init(
        _ start: JournalStart,
        paths: JournalPaths,
        configuration: [String: String],
        keepsMedia: Bool = true,
        minimumCapacity: Int,
        fileSystem: any FileSystem
    ) {
        self.paths = paths
        self.configuration = configuration
        self.keepsMedia = keepsMedia
        self.minimumCapacity = minimumCapacity
        self.fileSystem = fileSystem
        file = start.file
        generation = start.generation
        capacities = start.capacities
        spooled = start.spooled
        strays = start.strays
        growing = start.growing
        parts = start.restored?.parts ?? SavedParts()
    }

    /// Takes room on the disk while there is some.
    mutating func reserve() throws(FileError) {
        for file in capacities.indices { try reserve(minimumCapacity, for: file) }
    }

    /// Writes a part after those before it in its slot: without them it would be of no use.
    mutating func write(_ publication: PartPublication) -> PartOutcome {
        let part = SavedPart(publication.part, of: publication.rendition)
        guard let last = newest?.lastNumber, part.number > last, !parts.contains(part) else { return .known }
        guard parts.isFollowed(by: part) else { return .lost(reason: "a part before \(part.path) is missing") }
        do {
            try append(publication.part, part)
            parts.append(part)
            if hasLostPart { return .lost(reason: "\(part.path) waits for the line of a slot") }
            hasLostPart = true
            try record(part)
            hasLostPart = false
            return .written
        } catch {
            return .lost(reason: "\(error)")
        }
    }

    mutating func write(_ publication: SlotPublication) -> Outcome {
        var outcome = spool(publication.files) { publication.bodies[$0] }
        do {
            try record(publication.window)
            outcome.touched.append(paths.journal(file))
            removeUnneeded(before: publication.oldestServed ?? publication.window.numbers.lowerBound)
        } catch {
            outcome.recordProblem = "\(error)"
        }
        return outcome
    }

    /// Continues from a window that came otherwise than slot by slot: the next line is a header, and written now if
    /// there are lines before it.
    mutating func write(_ snapshot: StreamSnapshot) -> Outcome {
        var outcome = spool(snapshot.window.files) { snapshot.body($0)?.memory }
        follow(snapshot.window)
        outcome.isRecorded = written != nil
        if !outcome.isRecorded { return outcome }
        written = nil
        do {
            try record(snapshot.window)
            outcome.touched.append(paths.journal(file))
        } catch {
            outcome.recordProblem = "\(error)"
        }
        return outcome
    }

    /// Returns true if a file is whole.
    func holds(_ path: String) -> Bool { spooled[path] != nil }

    /// Writes the bytes that are not on the disk yet.
    private mutating func spool(_ files: [SavedWindow.File], _ body: (String) -> ByteBuffer?) -> Outcome {
        var outcome = Outcome()
        for file in files where keepsMedia || spooled[file.path] != nil {
            if spooled[file.path] == nil {
                guard let bytes = body(file.path) else { continue }
                do throws(FileError) {
                    try complete(file.path, bytes)
                } catch {
                    outcome.mediaProblem = "\(error)"
                    outcome.lostCount += 1
                    continue
                }
                outcome.touched.append(paths.media(file.path))
            }
            spooled[file.path] = file.lastNumber
        }
        return outcome
    }

    /// Writes a segment as far as parts have not brought it.
    private mutating func complete(_ path: String, _ bytes: ByteBuffer) throws(FileError) {
        guard let growth = growing.removeValue(forKey: path), growth.byteCount <= bytes.readableBytes else {
            return try fileSystem.create(paths.media(path), bytes)
        }
        if growth.isInherited { return try fileSystem.replace(paths.media(path), bytes) }
        let rest = bytes.readableBytes - growth.byteCount
        guard rest > 0, let slice = bytes.getSlice(at: bytes.readerIndex + growth.byteCount, length: rest) else {
            return
        }
        do throws(FileError) {
            try fileSystem.write(slice, to: paths.media(path), at: growth.byteCount)
        } catch {
            strays.append(path)
            throw error
        }
    }

    /// Appends a part's bytes to its segment's file, and writes the initialization section that it needs.
    private mutating func append(_ published: PublishedPart, _ part: SavedPart) throws(FileError) {
        if let path = part.opening?.map?.uri, spooled[path] == nil,
            let section = published.opening?.initialization?.bytes
        {
            try fileSystem.create(paths.media(path), section)
            spooled[path] = part.number
        }
        guard case .media(let bytes) = published.content else { return }
        let path = part.segmentPath
        var growth = growing[path] ?? Growth(rendition: part.rendition, number: part.number)
        if growth.byteCount == 0 {
            try fileSystem.create(paths.media(path), bytes)
        } else {
            try fileSystem.write(bytes, to: paths.media(path), at: growth.byteCount)
        }
        growth.byteCount += bytes.readableBytes
        growing[path] = growth
    }

    private mutating func record(_ window: SavedWindow) throws {
        follow(window)
        if !hasLostPart, let change = written.flatMap({ window.change(since: $0) }), try append(.slot(change)) {
            written = window
        } else {
            try beginFile(with: window)
        }
    }

    /// Notes the newest window: its slots are over.
    private mutating func follow(_ window: SavedWindow) {
        newest = window
        if let number = window.lastNumber { parts.end(through: number) }
    }

    private mutating func record(_ part: SavedPart) throws {
        if written != nil, try append(.part(part)) { return }
        if let newest { try beginFile(with: newest) }
    }

    /// Appends a line.
    ///
    /// - Returns: False if there is no room for it.
    private mutating func append(_ record: JournalRecord) throws -> Bool {
        var text = text
        let line = try text.line(record)
        guard offset + line.readableBytes <= capacities[file] else { return false }
        let window = written
        // If this fails half a line may stand there: nothing can follow it.
        written = nil
        try fileSystem.write(line, to: paths.journal(file), at: offset)
        written = window
        self.text = text
        offset += line.readableBytes
        return true
    }

    private mutating func beginFile(with window: SavedWindow) throws {
        let next = 1 - file
        let header = JournalHeader(
            generation: generation + 1,
            configuration: configuration,
            window: window,
            parts: parts.isEmpty ? nil : parts
        )
        var text = JournalText()
        let line = try text.line(header)
        do throws(FileError) {
            // Room for as many changes again as make the window, so that few headers are written.
            try reserve(max(minimumCapacity, 4 * line.readableBytes), for: next)
        } catch {
            // The disk is full, but the room that the file already has may suffice.
            guard line.readableBytes <= capacities[next] else { throw error }
        }
        try fileSystem.write(line, to: paths.journal(next), at: 0)
        file = next
        generation += 1
        self.text = text
        offset = line.readableBytes
        written = window
        hasLostPart = false
    }

    private mutating func reserve(_ byteCount: Int, for file: Int) throws(FileError) {
        guard capacities[file] < byteCount else { return }
        try fileSystem.reserve(paths.journal(file), byteCount: byteCount)
        capacities[file] = byteCount
    }

    /// Removes files that no slot needs any more; the next process finds those that cannot be removed now.
    private mutating func removeUnneeded(before head: MediaSequenceNumber) {
        // If the segment became a gap, only this file has the bytes of its parts, as long as they are listed.
        for (path, growth) in growing where newest?.lastNumber.map({ growth.number <= $0 }) ?? false {
            if let newest, parts.areWhole(inGap: growth.number, of: growth.rendition, in: newest) {
                // A window that has the segment is a peer's.
                growing[path]?.isInherited = true
            } else {
                growing[path] = nil
                strays.append(path)
            }
        }
        for path in strays where spooled[path] == nil && growing[path] == nil {
            try? fileSystem.remove(paths.media(path))
        }
        strays = []
        for (path, last) in spooled where last < head {
            try? fileSystem.remove(paths.media(path))
            spooled[path] = nil
        }
    }
}
