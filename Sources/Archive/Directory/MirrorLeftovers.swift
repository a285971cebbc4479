import Files
import NIOCore
import Playlists

/// Files of an earlier process in a directory, limited to names that only this program gives.
struct MirrorLeftovers: Sendable {
    /// Segments and initialization sections.
    private(set) var files: Set<String> = []
    /// Playlists, with the files that each names.
    private(set) var playlists: [String: Set<String>] = [:]

    init() {}

    /// - Parameters:
    ///   - directory: The directory of the published files.
    ///   - fileSystem: The file system that it is in.
    /// - Throws: ``FileError`` if it cannot be listed.
    init(in directory: String, _ fileSystem: any FileSystem) throws(FileError) {
        for name in try fileSystem.list(directory) {
            if PublishedPath.isRendition(name) {
                for file in try fileSystem.list("\(directory)/\(name)") {
                    let path = "\(name)/\(file)"
                    let suffix = LocalFileSystem.temporarySuffix
                    let whole = path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
                    if PublishedPath(whole) != nil { files.insert(path) }
                }
            } else if let kind = PublishedPath(name), kind == .mediaPlaylist || kind == .multivariantPlaylist {
                // An unreadable playlist is replaced or removed like any other.
                let text = (try? fileSystem.read("\(directory)/\(name)", limit: 1 << 26)) ?? ByteBuffer()
                playlists[name] = Self.names(in: String(buffer: text), isMultivariant: kind == .multivariantPlaylist)
            }
        }
    }

    /// The paths that a playlist makes players fetch; keys are not files.
    private static func names(in text: String, isMultivariant: Bool) -> Set<String> {
        if isMultivariant { return Set((try? MultivariantPlaylist(parsing: text).uris) ?? []) }
        guard let playlist = try? MediaPlaylist(parsing: text) else { return [] }
        // The resource of a gap is absent (RFC 8216bis § 4.4.4.7).
        let segments = playlist.segments.filter { !$0.isGap }
        return Set(segments.map(\.uri) + segments.compactMap(\.map?.uri))
    }
}
