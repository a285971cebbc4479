import Files
import NIOCore
import Playlists
import Presentation

/// Decides what is written to a directory and removed from it, and when, so that no playlist in it ever names what is
/// not there.
///
/// What a playlist names is written before it. Where that fails, the playlist stays as it was, and so does everything
/// that it names, until the disk has recovered or the segments have expired; then the playlist goes before they do.
struct MirrorPlan: Sendable {
    enum Step: Hashable, Sendable {
        case write(path: String, ByteBuffer)
        case remove(path: String)

        var path: String {
            switch self {
            case .write(let path, _), .remove(let path): path
            }
        }
    }

    /// How a pass went.
    struct Outcome: Sendable {
        /// The first thing that failed.
        var problem: FileError?
        /// Playlists that had to be removed although they are served.
        var withdrawn: [String] = []
    }

    private struct Playlist: Sendable {
        var body: ByteBuffer
        var names: Set<String>
    }

    /// All that the origin serves.
    private var served: Set<String> = []
    /// Segments and initialization sections that are served and not written yet.
    private var pending: [String: Body] = [:]
    /// Those that no playlist has named so far, for it has not been rendered.
    private var unnamed: Set<String> = []
    /// The newest playlists.
    private var playlists: [String: Playlist] = [:]
    private var outdated: Set<String> = []
    /// Whether there has been a playlist: until then what an earlier process has left stays as it is.
    private var hasBegun = false
    /// All that is in the directory.
    private var present: Set<String>
    /// What the playlists in the directory name.
    private var named: [String: Set<String>]

    /// - Parameters:
    ///   - files: What an earlier process has left.
    ///   - playlists: The text of the playlists among them.
    init(files: Set<String> = [], playlists: [String: ByteBuffer] = [:]) {
        present = files.union(playlists.keys)
        named = Dictionary(uniqueKeysWithValues: playlists.map { ($0, Self.names(in: $1, at: $0)) })
    }

    /// Whether anything is still to be done.
    var isBehind: Bool { !pending.isEmpty || !outdated.isEmpty || hasBegun && !present.isSubset(of: served) }

    /// Whether it is served and written; nil where that is not done yet.
    func holds(_ path: String) -> Bool? {
        served.contains(path) && pending[path] == nil && present.contains(path) ? true : nil
    }

    /// Takes note of what has changed at the origin.
    mutating func take(_ changes: [ResourceChange]) {
        for change in changes {
            let path = change.path
            guard let body = change.body else {
                served.remove(path)
                pending[path] = nil
                unnamed.remove(path)
                playlists[path] = nil
                outdated.remove(path)
                continue
            }
            let isNew = served.insert(path).inserted
            if Self.isPlaylist(path), let body = body.memory {
                let names = Self.names(in: body, at: path)
                playlists[path] = Playlist(body: body, names: names)
                outdated.insert(path)
                unnamed.subtract(names)
                hasBegun = true
            } else if isNew || pending[path] != nil {
                // What is no longer in memory need not be held for it here.
                pending[path] = body
                unnamed.insert(path)
            }
        }
    }

    /// Does what can be done now.
    ///
    /// - Parameter perform: Makes a step; what throws is tried again with the next pass.
    /// - Returns: What could not be done.
    mutating func pass(_ perform: (Step) throws(FileError) -> Void) -> Outcome {
        var outcome = Outcome()
        writeMedia(&outcome, perform)
        writePlaylists(&outcome, perform)
        guard hasBegun else { return outcome }
        withdrawPlaylists(&outcome, perform)
        let needed = named.values.reduce(into: served) { $0.formUnion($1) }
        for path in present.subtracting(needed).sorted() { remove(path, &outcome, perform) }
        return outcome
    }

    private mutating func writeMedia(_ outcome: inout Outcome, _ perform: (Step) throws(FileError) -> Void) {
        for (path, body) in pending.sorted(by: { $0.key < $1.key }) where write(path, body, &outcome, perform) {
            pending[path] = nil
        }
    }

    /// Segments that no playlist names any more, neither here nor at the origin.
    private var unlisted: Set<String> {
        let listed = named.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        return playlists.values.reduce(into: present.subtracting(listed).subtracting(unnamed)) { $0.subtract($1.names) }
            .filter { !Self.isPlaylist($0) }
    }

    /// The multivariant playlist comes last, since it names the others.
    private mutating func writePlaylists(_ outcome: inout Outcome, _ perform: (Step) throws(FileError) -> Void) {
        let media = outdated.filter { !Self.isMultivariant($0) }
        for path in media.sorted() + outdated.subtracting(media) {
            guard let playlist = playlists[path],
                playlist.names.allSatisfy({ present.contains($0) && pending[$0] == nil })
            else { continue }
            if write(path, .memory(playlist.body), &outcome, perform) {
                named[path] = playlist.names
                outdated.remove(path)
            }
        }
    }

    /// Removes playlists in the directory that name what is not served any more.
    private mutating func withdrawPlaylists(_ outcome: inout Outcome, _ perform: (Step) throws(FileError) -> Void) {
        let stale = named.filter { !$0.value.isSubset(of: served) }.keys.filter { !Self.isMultivariant($0) }
        let isNamed = stale.contains { path in named.contains { $0.value.contains(path) } }
        // Who names others goes first.
        let multivariants = isNamed ? named.keys.filter(Self.isMultivariant) : []
        for path in multivariants.sorted() + stale.sorted() {
            remove(path, &outcome, perform)
            guard !present.contains(path), playlists[path] != nil else { continue }
            outdated.insert(path)
            outcome.withdrawn.append(path)
        }
    }

    /// - Returns: Whether it is there now.
    private mutating func write(
        _ path: String,
        _ body: Body,
        _ outcome: inout Outcome,
        _ perform: (Step) throws(FileError) -> Void
    ) -> Bool {
        do throws(FileError) {
            let body = try body.read()
            do throws(FileError) {
                try perform(.write(path: path, body))
            } catch {
                let unlisted = unlisted
                guard error.isOutOfRoom, !unlisted.isEmpty else { throw error }
                // What is listed is worth more than what has been: players that are late go without.
                for path in unlisted.sorted() { remove(path, &outcome, perform) }
                try perform(.write(path: path, body))
            }
            present.insert(path)
            return true
        } catch {
            outcome.problem = outcome.problem ?? error
            return false
        }
    }

    private mutating func remove(
        _ path: String,
        _ outcome: inout Outcome,
        _ perform: (Step) throws(FileError) -> Void
    ) {
        do throws(FileError) {
            try perform(.remove(path: path))
            present.remove(path)
            named[path] = nil
        } catch {
            outcome.problem = outcome.problem ?? error
        }
    }

    private static func isPlaylist(_ path: String) -> Bool { path.hasSuffix(".m3u8") }
    private static func isMultivariant(_ path: String) -> Bool { MultivariantName(rawValue: path) != nil }

    /// The paths that a playlist makes players fetch; keys are not files.
    private static func names(in body: ByteBuffer, at path: String) -> Set<String> {
        let text = String(buffer: body)
        if isMultivariant(path) {
            guard let playlist = try? MultivariantPlaylist(parsing: text) else { return [] }
            return Set(playlist.uris)
        }
        guard let playlist = try? MediaPlaylist(parsing: text) else { return [] }
        // RFC 8216bis § 4.4.4.7: what a gap would name is absent.
        let segments = playlist.segments.filter { !$0.isGap }
        return Set(segments.map(\.uri) + segments.compactMap(\.map?.uri))
    }
}
