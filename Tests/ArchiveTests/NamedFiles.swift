import Playlists

/// The files that the playlists in a directory name and that are not there.
func missingFiles(in files: [String: String]) -> Set<String> {
    var named: Set<String> = []
    for (path, text) in files where path.hasSuffix(".m3u8") {
        if path.hasPrefix("index") {
            named.formUnion((try? MultivariantPlaylist(parsing: text).uris) ?? [])
        } else if let playlist = try? MediaPlaylist(parsing: text) {
            let segments = playlist.segments.filter { !$0.isGap }
            named.formUnion(segments.map(\.uri) + segments.compactMap(\.map?.uri))
        }
    }
    return named.subtracting(files.keys)
}
