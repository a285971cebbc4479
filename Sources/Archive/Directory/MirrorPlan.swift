import Files
import MediaCore
import NIOCore
import Playlists
import Presentation

/// Decides when files are written to a directory and removed from it, so that its playlists only name existing files.
///
/// Files that a playlist names are written before it. If that fails, the old playlist and its files stay until the disk
/// has recovered or the segments have expired. In the latter case the playlist is removed first.
struct MirrorPlan: Sendable {
    enum Step: Hashable, Sendable {
        /// A segment or an initialization section, of a name that no file there has and no playlist there lists.
        ///
        /// It may take the place of an expired file of its directory.
        case create(path: String, ByteBuffer, inPlaceOf: String?)
        case replace(path: String, ByteBuffer)
        case remove(path: String)

        var path: String {
            switch self {
            case .create(let path, _, _), .replace(let path, _), .remove(let path): path
            }
        }
    }

    /// The result of a pass.
    struct Outcome: Sendable {
        /// The first thing that failed.
        var problem: FileError?
        /// The playlists that had to be removed although they are served.
        var withdrawn: [String] = []
    }

    /// A playlist in the directory.
    private enum Written: Sendable {
        case own(PlaylistsPublication.Names, entityTag: String)
        /// A playlist of an earlier process, with the files that it names.
        case leftover(Set<String>)
    }

    /// The segments and initialization sections that the origin serves.
    private var served: [String: SavedWindow.File] = [:]
    /// The served files that are still to be written.
    private var pending: Set<String> = []
    /// The served files that are in the directory.
    private var present: Set<String> = []
    /// The files in the directory that are no longer served.
    private var expired: [String: SavedWindow.File] = [:]
    /// The newest slot that is not served any more.
    private var lastExpired: MediaSequenceNumber?
    /// The newest slot, and the newest that playlists have been rendered for.
    private var lastSlot: MediaSequenceNumber?
    private var lastRendered: MediaSequenceNumber?
    /// The newest playlists; nil before the first, and until then the files of an earlier process stay unchanged.
    private var playlists: [String: PlaylistsPublication.Playlist]?
    /// The playlists in the directory.
    private var written: [String: Written]
    /// Other files that an earlier process has left, and that are not served.
    private var leftovers: Set<String>
    /// Gets the bytes that are served.
    private var body: @Sendable (String) -> Body? = { _ in nil }

    /// The most expired files that wait for new ones to take their places.
    private let mostReused: Int

    /// - Parameters:
    ///   - leftovers: Files that an earlier process has left.
    ///   - reusesFiles: True if new files take the places of expired ones, which nobody reads.
    init(_ leftovers: MirrorLeftovers = MirrorLeftovers(), reusesFiles: Bool = false) {
        self.leftovers = leftovers.files
        mostReused = reusesFiles ? 32 : 0
        written = leftovers.playlists.mapValues(Written.leftover)
    }

    /// True if anything is still to be done.
    var isBehind: Bool {
        if !pending.isEmpty { return true }
        guard let playlists else { return false }
        return !outdated.isEmpty || expired.count > mostReused || !leftovers.isEmpty
            || written.keys.contains { playlists[$0] == nil }
    }

    /// True if the file is served and written; nil if that is not done yet.
    func holds(_ path: String) -> Bool? { present.contains(path) && !pending.contains(path) ? true : nil }

    /// Notes a change at the origin.
    mutating func take(_ publication: Publication) {
        switch publication {
        case .window(let snapshot): take(snapshot)
        case .slots(let slots):
            take(slots.files)
            // An initialization section that was given up for want of room may be needed again.
            for file in slots.files where !present.contains(file.path) { pending.insert(file.path) }
        case .playlists(let newest): take(newest)
        case .expired(let expired):
            for path in expired.paths { expire(path) }
            lastExpired = expired.slots.last ?? lastExpired
        default: break
        }
    }

    private mutating func take(_ snapshot: StreamSnapshot) {
        body = snapshot.body
        let files = snapshot.files
        for path in Set(served.keys).subtracting(files.map(\.path)) { expire(path) }
        take(files)
        if let oldest = snapshot.oldestServed { lastExpired = max(lastExpired ?? oldest.previous, oldest.previous) }
        if let playlists = snapshot.playlists { take(playlists) }
    }

    private mutating func take(_ files: [SavedWindow.File]) {
        for file in files {
            lastSlot = max(lastSlot ?? file.lastNumber, file.lastNumber)
            guard let known = served[file.path] else {
                // The file of that name may be another one.
                if expired.removeValue(forKey: file.path) != nil || leftovers.remove(file.path) != nil {
                    present.insert(file.path)
                }
                pending.insert(file.path)
                served[file.path] = file
                continue
            }
            served[file.path]?.lastNumber = max(known.lastNumber, file.lastNumber)
        }
    }

    private mutating func take(_ newest: PlaylistsPublication) {
        playlists = newest.playlists
        lastRendered = lastSlot
    }

    private mutating func expire(_ path: String) {
        guard let file = served.removeValue(forKey: path) else { return }
        pending.remove(path)
        if present.remove(path) != nil { expired[path] = file }
    }

    /// Performs the steps that are possible now.
    ///
    /// - Parameters:
    ///   - lists: False if playlists, and all that they name, do not change for now.
    ///   - isLast: True if nothing may follow, for which expired files would be kept.
    ///   - perform: Carries out a step; a failed one is tried again with the next pass.
    /// - Returns: The failed steps.
    mutating func pass(lists: Bool = true, isLast: Bool = false, _ perform: (Step) throws(FileError) -> Void) -> Outcome
    {
        var outcome = Outcome()
        for path in pending.sorted() {
            // A file that is no longer served will be reported as expired soon.
            guard let body = body(path), write(path, body, &outcome, perform) else { continue }
            pending.remove(path)
            present.insert(path)
        }
        guard lists, let playlists else { return outcome }
        writePlaylists(&outcome, perform)
        withdrawPlaylists(&outcome, perform)
        for path in written.keys.sorted() where playlists[path] == nil && !isNamed(path) {
            remove(path, &outcome, perform)
        }
        let removed = expired.keys.sorted().dropFirst(isLast ? 0 : mostReused)
        for path in removed + leftovers.sorted() where !isNamed(path) { remove(path, &outcome, perform) }
        return outcome
    }

    // MARK: Playlists

    /// Playlists that are not in the directory as they are served; the multivariant ones come last, since they name
    /// others.
    private var outdated: [String] {
        let outdated = (playlists ?? [:]).filter { path, playlist in
            if case .own(_, playlist.entityTag)? = written[path] { false } else { true }
        }
        return outdated.keys.sorted { (Self.isMultivariant($0) ? 1 : 0, $0) < (Self.isMultivariant($1) ? 1 : 0, $1) }
    }

    private mutating func writePlaylists(_ outcome: inout Outcome, _ perform: (Step) throws(FileError) -> Void) {
        for path in outdated {
            guard let playlist = playlists?[path], isComplete(playlist.names),
                write(path, .memory(playlist.text), &outcome, perform)
            else { continue }
            written[path] = .own(playlist.names, entityTag: playlist.entityTag)
        }
    }

    /// Returns true if all that a playlist names is in the directory.
    private func isComplete(_ names: PlaylistsPublication.Names) -> Bool {
        switch names {
        case .slots: !isExpired(names) && !pending.contains { path in served[path].map(names.contains) ?? false }
        case .playlists(let paths): paths.allSatisfy { written[$0] != nil }
        }
    }

    private func isExpired(_ names: PlaylistsPublication.Names) -> Bool {
        guard case .slots(_, let numbers) = names, let lastExpired else { return false }
        return numbers.lowerBound <= lastExpired
    }

    /// Removes playlists in the directory that name resources that are no longer served.
    private mutating func withdrawPlaylists(_ outcome: inout Outcome, _ perform: (Step) throws(FileError) -> Void) {
        let stale = written.filter { if case .own(let names, _) = $0.value { isExpired(names) } else { false } }.keys
        // A playlist that names others goes first.
        let multivariants = stale.contains(where: isNamed) ? written.keys.filter(Self.isMultivariant) : []
        for path in multivariants.sorted() + stale.sorted() where !isNamed(path) {
            remove(path, &outcome, perform)
            if written[path] == nil, playlists?[path] != nil { outcome.withdrawn.append(path) }
        }
    }

    /// Returns true if a playlist in the directory names a file.
    private func isNamed(_ path: String) -> Bool {
        let file = expired[path] ?? served[path]
        return written.values.contains { playlist in
            switch playlist {
            case .leftover(let paths), .own(.playlists(let paths), _): paths.contains(path)
            case .own(let names, _): file.map(names.contains) ?? false
            }
        }
    }

    private static func isMultivariant(_ path: String) -> Bool { MultivariantName(rawValue: path) != nil }

    // MARK: Files

    /// Segments that no playlist names any more, neither here nor at the origin.
    private var unlisted: [String] {
        let newest = (playlists ?? [:]).values.map(\.names)
        let files = present.filter { path in
            guard !isNamed(path), let file = served[path] else { return false }
            // Playlists that name it are perhaps still to be rendered.
            return lastRendered.map { file.lastNumber <= $0 } ?? false && !newest.contains { $0.contains(file) }
        }
        return (Array(files) + expired.keys.filter { !isNamed($0) } + leftovers.filter { !isNamed($0) }).sorted()
    }

    /// - Returns: True if it now exists.
    private mutating func write(
        _ path: String,
        _ body: Body,
        _ outcome: inout Outcome,
        _ perform: (Step) throws(FileError) -> Void
    ) -> Bool {
        do throws(FileError) {
            let bytes = try body.read()
            let isNew = served[path] != nil && !present.contains(path)
            let reused = isNew ? fileToReuse(for: path) : nil
            let step: Step = isNew ? .create(path: path, bytes, inPlaceOf: reused) : .replace(path: path, bytes)
            do throws(FileError) {
                try perform(step)
            } catch {
                let unlisted = unlisted
                guard error.isOutOfRoom, !unlisted.isEmpty else { throw error }
                // Listed files are more important than expired ones, which late players then lack.
                for path in unlisted { remove(path, &outcome, perform) }
                try perform(step)
            }
            if let reused { expired[reused] = nil }
            return true
        } catch {
            outcome.problem = outcome.problem ?? error
            return false
        }
    }

    /// Returns an expired file of the same directory that no playlist names any more.
    private func fileToReuse(for path: String) -> String? {
        guard mostReused > 0, let directory = path.lastIndex(of: "/").map({ path[...$0] }) else { return nil }
        return expired.keys.first { $0.hasPrefix(directory) && !isNamed($0) }
    }

    private mutating func remove(
        _ path: String,
        _ outcome: inout Outcome,
        _ perform: (Step) throws(FileError) -> Void
    ) {
        do throws(FileError) {
            try perform(.remove(path: path))
            present.remove(path)
            leftovers.remove(path)
            expired[path] = nil
            written[path] = nil
        } catch {
            outcome.problem = outcome.problem ?? error
        }
    }
}

extension PlaylistsPublication.Names {
    /// Returns true if a media playlist names a file.
    fileprivate func contains(_ file: SavedWindow.File) -> Bool {
        guard case .slots(file.rendition, let numbers) = self else { return false }
        return numbers.lowerBound <= file.lastNumber && file.firstNumber < numbers.upperBound
    }
}
