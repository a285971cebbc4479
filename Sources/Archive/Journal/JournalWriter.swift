import Files
import MediaCore
import NIOCore
import Presentation

/// Decides what of a publication is written where.
///
///     DIR/NAME/lock                          held while the process lives
///     DIR/NAME/journal-0, journal-1          in turn: a header, then a line a slot; both keep their room on the disk
///     DIR/NAME/media/RENDITION/448812000.m4s what listed lines name
///
/// The bytes come first, then the line that names them, then what nothing names any more goes. When a file is full the
/// other one is begun with everything there is; until its header is whole, the full one remains the newest.
struct JournalWriter: Sendable {
    private let paths: JournalPaths
    private let configuration: [String: String]
    private let fileSystem: any FileSystem
    private let minimumCapacity: Int

    /// The file that holds the newest whole line, and where its next one goes.
    private var file: Int
    private var generation: Int
    private var offset = 0
    private var text = JournalText()
    /// Bytes that each file has room for.
    private var capacities: [Int]
    /// The window as of the newest line; nil if the next one must be a header.
    private var written: SavedWindow?
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

    /// Continues from what was found on the disk, with files that take at least so many bytes each.
    init(
        _ start: JournalStart,
        paths: JournalPaths,
        configuration: [String: String],
        minimumCapacity: Int,
        fileSystem: any FileSystem
    ) {
        self.paths = paths
        self.configuration = configuration
        self.minimumCapacity = minimumCapacity
        self.fileSystem = fileSystem
        file = start.file
        generation = start.generation
        capacities = start.capacities
        spooled = start.spooled
        strays = start.strays
    }

    /// Takes room on the disk while there is some.
    mutating func reserve() throws(FileError) {
        for file in capacities.indices { try reserve(minimumCapacity, for: file) }
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
        for file in files {
            if spooled[file.path] == nil {
                guard let bytes = body(file.path) else { continue }
                do throws(FileError) {
                    try fileSystem.create(paths.media(file.path), bytes)
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

    private mutating func record(_ window: SavedWindow) throws {
        guard let written, let change = window.change(since: written) else { return try beginFile(with: window) }
        var text = text
        let line = try text.line(change)
        guard offset + line.readableBytes <= capacities[file] else { return try beginFile(with: window) }
        // If this fails half a line may stand there: nothing can follow it.
        self.written = nil
        try fileSystem.write(line, to: paths.journal(file), at: offset)
        self.written = window
        self.text = text
        offset += line.readableBytes
    }

    private mutating func beginFile(with window: SavedWindow) throws {
        let next = 1 - file
        let header = JournalHeader(generation: generation + 1, configuration: configuration, window: window)
        var text = JournalText()
        let line = try text.line(header)
        do throws(FileError) {
            // Room for as many changes again as make the window, so that few headers are written.
            try reserve(max(minimumCapacity, 4 * line.readableBytes), for: next)
        } catch {
            // A full disk; what the file has may do.
            guard line.readableBytes <= capacities[next] else { throw error }
        }
        try fileSystem.write(line, to: paths.journal(next), at: 0)
        file = next
        generation += 1
        self.text = text
        offset = line.readableBytes
        written = window
    }

    private mutating func reserve(_ byteCount: Int, for file: Int) throws(FileError) {
        guard capacities[file] < byteCount else { return }
        try fileSystem.reserve(paths.journal(file), byteCount: byteCount)
        capacities[file] = byteCount
    }

    /// Removes files that no slot needs any more; the next process finds those that cannot be removed now.
    private mutating func removeUnneeded(before head: MediaSequenceNumber) {
        for path in strays where spooled[path] == nil { try? fileSystem.remove(paths.media(path)) }
        strays = []
        for (path, last) in spooled where last < head {
            try? fileSystem.remove(paths.media(path))
            spooled[path] = nil
        }
    }
}
