/// The media of an asset by reference: the channel's, above the asset's own directory.
///
/// A copy elsewhere has the media in the directory of the asset, so that nothing of it goes with the live window. Keys
/// stay where they are.
enum AssetReferences {
    private static let map = "#EXT-X-MAP:"
    private static let gap = "#EXT-X-GAP"

    /// Calls a function for each segment and initialization section that a playlist names, by the channel's paths.
    ///
    /// A section is named once for all segments in a row that need it.
    static func forEachPath(in playlist: String, _ body: (String) throws -> Void) rethrows {
        var isGap = false
        for line in playlist.split(separator: "\n") {
            if line.hasPrefix(map) {
                if let path = line.split(separator: "\"").dropFirst().first.flatMap(path(of:)) { try body(path) }
            } else if line.hasPrefix(gap) {
                isGap = true
            } else if !line.hasPrefix("#") {
                // RFC 8216bis § 4.4.4.7: the segment of a gap is absent.
                if !isGap, let path = path(of: line) { try body(path) }
                isGap = false
            }
        }
    }

    /// Returns a playlist with the media in the asset's own directory.
    static func moved(_ playlist: String) -> String {
        let lines = playlist.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            if line.hasPrefix(map) {
                let text = String(line).replacing("URI=\"\(AssetTerms.aboveAsset)", with: "URI=\"", maxReplacements: 1)
                return Substring(text)
            }
            return line.hasPrefix("#") ? line : path(of: line).map { Substring($0) } ?? line
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the channel's path for a URI; nil if it is not above the asset.
    private static func path(of uri: Substring) -> String? {
        guard uri.hasPrefix(AssetTerms.aboveAsset) else { return nil }
        return String(uri.dropFirst(AssetTerms.aboveAsset.count))
    }
}
