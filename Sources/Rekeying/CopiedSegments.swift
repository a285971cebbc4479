import Playlists

/// The segments that a copy has already, as long as a later playlist may list them again.
///
/// Playlists that list segments of the same directory follow each other, so that these are mostly the segments of one
/// rendition.
struct CopiedSegments {
    /// A file of the recording, with the keys and map of its line.
    struct File: Hashable {
        var subject: SegmentRekeyer.Subject
        var keys: [EncryptionKey]
        var map: MediaInitialization?
    }

    /// A segment of the copy.
    struct Segment: Hashable {
        var file: File
        /// The bytes up to the end of the first picture, for a transport stream that was put together anew; nil for
        /// others.
        var pictureByteCount: Int?
    }

    /// The playlists that wait to be copied, the next one last.
    private var pending: [PublishedDirectory.Outline]
    /// The segments by their directories and paths.
    private var folders: [String: [String: Segment]] = [:]

    /// Takes all playlists of a recording.
    init(_ playlists: [PublishedDirectory.Outline]) {
        // If a playlist lists byte ranges of files, the files are those of other playlists, which come first: each of
        // these stands at its first directory, and the one with byte ranges at its last.
        let placed = playlists.map { outline in
            let folder = outline.isIFramesOnly ? outline.folders.max() : outline.folders.min()
            return (place: (folder ?? "", outline.isIFramesOnly ? 1 : 0, outline.path), outline: outline)
        }
        pending = placed.sorted { $0.place > $1.place }.map { $0.outline }
    }

    /// The number of segments that are remembered.
    var count: Int { folders.values.reduce(0) { $0 + $1.count } }

    /// Forgets the segments that no further playlist may list, and returns the next playlist; nil if all are copied.
    mutating func next() -> PublishedDirectory.Outline? {
        let wanted = pending.reduce(into: Set<String>()) { $0.formUnion($1.folders) }
        folders = folders.filter { wanted.contains($0.key) }
        return pending.popLast()
    }

    /// The segment of a path; nil if it was not copied, or is not needed any more.
    subscript(path: String) -> Segment? { folders[Self.folder(of: path)]?[path] }

    /// Remembers a segment.
    mutating func add(_ segment: Segment) {
        let path = segment.file.subject.path
        folders[Self.folder(of: path), default: [:]][path] = segment
    }

    /// Returns the directory that a path is in.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
}
