import Files
import MediaCore
import NIOCore
import Playlists
import Presentation

/// The journal that a process finds of the one before it.
struct JournalStart: Sendable {
    /// The file with the newest whole line; the other one is written next.
    private(set) var file = 1
    private(set) var generation = 0
    /// Bytes that each of the two files has room for.
    private(set) var capacities = [0, 0]
    /// Files that are whole, with the last slot that needs each.
    private(set) var spooled: [String: MediaSequenceNumber] = [:]
    /// The files of segments that have parts.
    private(set) var growing: [String: JournalWriter.Growth] = [:]
    /// Other files, below `media`.
    private(set) var strays: [String] = []
    /// The window to take over; nil if there is none.
    private(set) var restored: RestoredWindow?
    /// The reason why an existing window is not taken over.
    private(set) var objection: String?
    /// The reason why nothing may start.
    private(set) var refusal: JournalError?
    /// Listed segments that cannot be taken over, with the effect on viewers.
    private(set) var losses: [String] = []
    private let media: (any MediaStore)?
    private let maximumBytes: Int

    /// The most bytes that are read; journals and segments are far smaller, so a larger file is neither.
    private static let longestJournal = 1 << 28
    private static let longestSegment = 1 << 30

    /// - Parameters:
    ///   - paths: The paths of a channel's journal.
    ///   - configuration: The settings that its window depends on.
    ///   - defaults: Values for settings that one of two configurations does not name.
    ///   - newSecret: The treatment of a journal with another secret.
    ///   - media: Keeps the segments that are not files of the journal; nil if there are none.
    ///   - maximumBytes: The most bytes that are read of its segments.
    ///   - fileSystem: The file system that it is in.
    init(
        reading paths: JournalPaths,
        configuration: [String: String],
        defaults: [String: String] = [:],
        newSecret: NewSecret = .refused,
        media: (any MediaStore)? = nil,
        maximumBytes: Int,
        from fileSystem: any FileSystem
    ) {
        self.media = media
        self.maximumBytes = maximumBytes
        switch readNewest(paths, fileSystem) {
        case .success(let contents):
            var (window, parts, configuration) = (contents.window, contents.parts, configuration)
            if let was = contents.configuration[NewSecret.name], let now = configuration[NewSecret.name], was != now {
                guard case .accepted(let keysAreDerived) = newSecret else {
                    refusal = .anotherSecret(was: was, is: now)
                    return
                }
                configuration[NewSecret.name] = was
                if keysAreDerived {
                    removeEncryptedSlots(of: &window)
                    parts = SavedParts()
                }
            }
            // A single difference is enough for a new window.
            objection =
                IdentityDifference.all(between: contents.configuration, and: configuration, defaults: defaults).first
                .map { "\($0.name) was \($0.first) and is \($0.second)" }
            if objection == nil { restore(window, parts, paths, fileSystem) }
        case .failure(.version(let version, _)):
            objection =
                "it has version \(version), and this packager reads versions up to \(JournalHeader.currentVersion)"
        case .failure, nil: break
        }
        findStrays(paths, fileSystem)
        if restored != nil {
            findLostRecords()
        } else if objection == nil, !strays.isEmpty {
            objection = "its index is missing, but segments of an earlier window exist"
        }
    }

    /// Reads both files.
    ///
    /// - Returns: The contents of the newer one; nil if neither has a header.
    private mutating func readNewest(
        _ paths: JournalPaths,
        _ fileSystem: any FileSystem
    ) -> Result<JournalContents, JournalContents.Defect>? {
        var newest: Result<JournalContents, JournalContents.Defect>?
        for index in capacities.indices {
            do {
                guard let text = try fileSystem.read(paths.journal(index), limit: Self.longestJournal) else { continue }
                capacities[index] = text.readableBytes
                let contents = Result { () throws(JournalContents.Defect) in try JournalContents(reading: text) }
                // The usual sign of a process that ended while it began this file: then the other one is whole.
                if case .failure(.damaged) = contents { objection = "\(paths.journal(index)) is damaged" }
                guard let found = contents.generation, found > generation else { continue }
                (newest, file, generation) = (contents, index, found)
            } catch {
                objection = "\(error)"
            }
        }
        return newest
    }

    /// Segments are written before their line: at most one slot of them may be ahead of the records.
    private mutating func findLostRecords() {
        guard let restored, let last = [restored.window.lastNumber, restored.parts.newest].compactMap(\.self).max()
        else {
            return
        }
        let newest = strays.compactMap { path in
            path.split(separator: "/").last?.split(separator: ".").first.flatMap { Int64($0) }
        }.max()
        guard let newest, newest > last.value + 1 else { return }
        losses.append(
            "the records end at slot \(last), and there are segments up to slot \(newest); the window is that much shorter, "
                + "and viewers may find these slots as gaps"
        )
    }

    /// Keys are never written, so that they are lost with the secret that they derive from.
    private mutating func removeEncryptedSlots(of window: inout SavedWindow) {
        let count = window.removeEncryptedSlots()
        guard count > 0 else { return }
        losses.append(
            "the keys of \(count) slots were derived from another master secret; the window begins after them, and late "
                + "players must start over"
        )
    }

    private mutating func restore(
        _ window: SavedWindow,
        _ parts: SavedParts,
        _ paths: JournalPaths,
        _ fileSystem: any FileSystem
    ) {
        // Whole segments have the bytes of all other parts.
        var bodies = bodies(of: parts.all(besides: window), paths, fileSystem)
        var room = maximumBytes - bodies.values.reduce(0) { $0 + $1.readableBytes }
        var stored: [String: Int] = [:]
        // The newest come first, because a power cut may have left them without their bytes. For older files the length
        // proves that they are whole.
        for file in window.files.sorted(by: { $0.lastNumber > $1.lastNumber }) {
            guard room > 0 else {
                stored[file.path] = byteCount(file, paths, fileSystem)
                continue
            }
            guard let bytes = bytes(file.path, file.entityTag, paths, fileSystem) else { continue }
            bodies[file.path] = bytes
            room -= bytes.readableBytes
        }
        // After a power cut a file may be there without its bytes.
        let restored = RestoredWindow(window: window, bodies: bodies, stored: stored, parts: parts)
        let isThere = { (path: String) in restored.bodies[path] != nil || stored[path] != nil }
        let lost = window.files.count { !isThere($0.path) }
        if lost > 0 {
            losses.append(
                "\(lost) of \(window.files.count) segments and initialization sections are missing or damaged; the window "
                    + "begins after the last of them, and late players get 404"
            )
        }
        for file in window.files where isThere(file.path) {
            let count = restored.bodies[file.path]?.readableBytes ?? stored[file.path]
            guard media == nil || ownByteCount(file.path, paths, fileSystem) == count else { continue }
            spooled[file.path] = file.lastNumber
        }
        for part in restored.parts.all(besides: window) { resume(part) }
        self.restored = restored
    }

    /// Returns the length of a file of the journal; nil if there is none.
    private func ownByteCount(_ path: String, _ paths: JournalPaths, _ fileSystem: any FileSystem) -> Int? {
        (try? fileSystem.byteCount(of: paths.media(path))) ?? nil
    }

    /// The length of a file of the window, in the store or else in the journal; nil if neither has it whole.
    private func byteCount(_ file: SavedWindow.File, _ paths: JournalPaths, _ fileSystem: any FileSystem) -> Int? {
        func isWhole(_ count: Int) -> Bool { count == file.byteCount ?? count }
        if let count = media?.byteCount(of: file.path), isWhole(count) { return count }
        return ownByteCount(file.path, paths, fileSystem).flatMap { isWhole($0) ? $0 : nil }
    }

    /// Reads all bytes of a path; nil if they are lost.
    ///
    /// Beside a store the journal has files from the time before it, and of parts. After a kill,
    /// those may be shorter than the segment.
    private func bytes(
        _ path: String,
        _ entityTag: String?,
        _ paths: JournalPaths,
        _ fileSystem: any FileSystem
    ) -> ByteBuffer? {
        let own = (try? fileSystem.read(paths.media(path), limit: Self.longestSegment)) ?? nil
        guard let media else { return own }
        if let own, ContentHash(of: own).entityTag == entityTag { return own }
        guard let count = media.byteCount(of: path), count <= Self.longestSegment else { return nil }
        return try? media.read(path, 0..<count)
    }

    /// Reads the parts of segments that are missing or gaps, with their initialization sections.
    private func bodies(
        of parts: [SavedPart],
        _ paths: JournalPaths,
        _ fileSystem: any FileSystem
    ) -> [String: ByteBuffer] {
        var bodies: [String: ByteBuffer] = [:]
        var ends: [String: Int] = [:]
        for part in parts {
            if let path = part.opening?.map?.uri {
                bodies[path] = bytes(path, part.opening?.mapEntityTag, paths, fileSystem)
            }
            let begin = ends[part.segmentPath] ?? 0
            let (end, overflows) = begin.addingReportingOverflow(part.byteCount)
            guard !part.isGap, !overflows, end <= Self.longestSegment else { continue }
            ends[part.segmentPath] = end
            bodies[part.path] = try? fileSystem.read(paths.media(part.segmentPath), begin..<end)
        }
        return bodies
    }

    /// Lets the writer continue the file of a part's segment after it.
    private mutating func resume(_ part: SavedPart) {
        if let path = part.opening?.map?.uri { spooled[path] = part.number }
        guard !part.isGap else { return }
        let begin = growing[part.segmentPath]?.byteCount ?? 0
        growing[part.segmentPath] = JournalWriter.Growth(
            rendition: part.rendition,
            number: part.number,
            byteCount: begin + part.byteCount,
            isInherited: true
        )
    }

    private mutating func findStrays(_ paths: JournalPaths, _ fileSystem: any FileSystem) {
        for rendition in (try? fileSystem.list(paths.media)) ?? [] {
            let names = (try? fileSystem.list(paths.media(rendition))) ?? []
            strays += names.map { "\(rendition)/\($0)" }.filter { spooled[$0] == nil && growing[$0] == nil }
        }
    }
}

extension Result<JournalContents, JournalContents.Defect> {
    /// The generation in the journal's header; nil without a header.
    fileprivate var generation: Int? {
        switch self {
        case .success(let contents): contents.generation
        case .failure(.version(_, let generation)): generation
        case .failure: nil
        }
    }
}
