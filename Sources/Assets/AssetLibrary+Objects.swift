import Files
import Glibc
import NIOCore
import Operations
import Playlists
package import Presentation

/// The files of assets, as servers elsewhere are sent them.
extension AssetLibrary {
    /// The stages in which files are sent, so that none names a later one.
    private enum Stage: Int, CaseIterable {
        /// Segments and initialization sections.
        case media
        /// Posters, thumbnails, chapters and MP4.
        case extras
        /// The list of thumbnails.
        case lists
        case playlists
        case multivariants

        /// The stage of a file that lies in the directory of an asset, and not deeper.
        init(of name: String) {
            if MultivariantName(rawValue: name) != nil {
                self = .multivariants
            } else if name.hasSuffix(AssetLibrary.playlistSuffix) {
                self = .playlists
            } else {
                self = name == ThumbnailPlan.file ? .lists : .extras
            }
        }
    }

    private static let playlistSuffix = ".m3u8"
    private static let picturesSuffix = "-iframes.m3u8"
    /// The most bytes of a changed playlist: a day with segments of a second has a quarter of them.
    private static let longestPlaylist = 64 << 20

    /// The IDs of all that are finished.
    package var readyIDs: [String] { records.filter { $0.state == .ready }.map(\.id) }

    /// Returns true until an asset is removed.
    package func isThere(_ id: String) -> Bool { record(id) != nil }

    /// Returns true if an asset was removed, so that no later process finds it either.
    package func isGone(_ id: String) -> Bool {
        if record(id) != nil { return false }
        var status = stat()
        return lstat(path(of: id), &status) != 0 && errno == ENOENT
    }

    /// Names the files of an asset; of one by reference, also those of the channel that it lists.
    ///
    /// - Parameters:
    ///   - id: The ID of the asset.
    ///   - body: Called for each file, with its path below the asset and its stage. Stages come in order, and a file
    ///     names only those of earlier ones.
    /// - Throws: `FileError`, or the error of `body`.
    package func forEachObject(of id: String, _ body: (_ path: String, _ stage: Int) throws -> Void) throws {
        guard let record = record(id), record.state == .ready else { return }
        let folder = path(of: id)
        let names = try fileSystem.list(folder).sorted().filter { !Self.ownFiles.contains($0) }
        let directories = try names.filter { try !fileSystem.list("\(folder)/\($0)").isEmpty }
        let files = names.filter { !directories.contains($0) }
        if record.request.form == .reference {
            try forEachReference(of: id, in: files) { try body($0, Stage.media.rawValue) }
        }
        for stage in Stage.allCases {
            // Pictures are the only ones of its directories that are not media.
            for name in directories where (name == ThumbnailPlan.folder ? Stage.extras : .media) == stage {
                for file in try fileSystem.list("\(folder)/\(name)").sorted() {
                    try body("\(name)/\(file)", stage.rawValue)
                }
            }
            for name in files where Stage(of: name) == stage { try body(name, stage.rawValue) }
        }
    }

    /// Names the files of the channel that the playlists of an asset list.
    private func forEachReference(of id: String, in files: [String], _ body: (String) throws -> Void) throws {
        for name in files where Stage(of: name) == .playlists {
            // A playlist of key frames lists parts of the same segments.
            if name.hasSuffix(Self.picturesSuffix),
                files.contains(String(name.dropLast(Self.picturesSuffix.count)) + Self.playlistSuffix)
            {
                continue
            }
            guard let text = try text(of: "\(id)/\(name)") else { continue }
            var maps: Set<String> = []
            try AssetReferences.forEachPath(in: text) { path in
                if path.hasSuffix(".mp4"), !maps.insert(path).inserted { return }
                try body(path)
            }
        }
    }

    /// The bytes of a file of an asset, or of one of the channel that it lists.
    ///
    /// - Parameters:
    ///   - path: The path of the file, below the asset.
    ///   - id: The ID of the asset.
    /// - Returns: The bytes; nil if they are gone. Playlists of an asset by reference name the media in the
    ///   directory of the asset.
    /// - Throws: An error that describes itself in words.
    package func object(_ path: String, of id: String) throws -> Body? {
        guard let record = record(id) else { return nil }
        let file = "\(id)/\(path)"
        let isReference = record.request.form == .reference
        if isReference, path.hasSuffix(Self.playlistSuffix), Stage(of: path) == .playlists {
            return try text(of: file).map { Body.memory(ByteBuffer(string: AssetReferences.moved($0))) }
        }
        if let byteCount = try keptByteCount(of: file[...]) {
            return .stored(StoredBody(path: file, byteCount: byteCount, store: self))
        }
        guard isReference, let byteCount = try recording.byteCount(at: path) else { return nil }
        return .stored(StoredBody(path: path, byteCount: byteCount, store: RecordedBodies(recording: recording)))
    }

    private func text(of file: String) throws -> String? {
        try fileSystem.read("\(directory)/./\(file)", limit: Self.longestPlaylist).map { String(buffer: $0) }
    }
}

/// The bodies of a channel's recorded media.
private struct RecordedBodies: BodyStore {
    let recording: any RecordedChannel

    func holds(_ path: String) -> Bool? { nil }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        let bytes: ByteBuffer?
        do {
            bytes = try recording.bytes(at: path, range)
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError(operation: "read", path: path, reason: "\(error)")
        }
        guard let bytes else {
            throw FileError(operation: "read", path: path, reason: "it was removed from the recording")
        }
        return bytes
    }
}
