import Playlists

/// The renditions that files of an asset are made of.
extension MultivariantPlaylist {
    /// The video rendition whose pictures are decoded fastest; nil if there is none.
    var smallestVideo: RenditionID? {
        let sized = variants.compactMap { variant in
            variant.resolution.map { (size: $0.width * $0.height, uri: variant.uri) }
        }
        return sized.min { $0.size < $1.size }.map { RenditionID($0.uri.replacing(".m3u8", with: "")) }
    }

    /// Returns the video rendition of a name, or the largest, and the audio that players choose with it.
    ///
    /// - Throws: ``AssetError`` if the name is unknown.
    func clipRenditions(video name: String?) throws(AssetError) -> [RenditionID] {
        let candidates = variants.filter { name == nil || $0.uri == "\(name ?? "").m3u8" }
        let sizes = candidates.map { ($0.resolution?.width ?? 0) * ($0.resolution?.height ?? 0) }
        guard let index = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else {
            throw .noRendition(name ?? "", known: variants.map { $0.uri.replacing(".m3u8", with: "") })
        }
        let variant = candidates[index]
        let group = renditions.filter { $0.groupID == variant.audioGroup && $0.uri != nil }
        let audio = group.first(where: \.isDefault) ?? group.first
        return [variant.uri, audio?.uri].compactMap(\.self).map { RenditionID($0.replacing(".m3u8", with: "")) }
    }
}
