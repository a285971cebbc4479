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
    /// - Parameters:
    ///   - name: The name of the video; nil for the largest of those that have most of the time.
    ///   - counts: The number of slots in which each rendition has media.
    /// - Returns: The video, and the audio if there is any.
    /// - Throws: ``AssetError`` if the name is unknown.
    func clipRenditions(video name: String?, _ counts: [RenditionID: Int]) throws(AssetError) -> [RenditionID] {
        let named = variants.filter { name == nil || $0.uri == "\(name ?? "").m3u8" }
        let candidates = Self.mostWhole(of: named, counts) { $0.uri }
        let sizes = candidates.map { ($0.resolution?.width ?? 0) * ($0.resolution?.height ?? 0) }
        guard let index = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else {
            throw .noRendition(name ?? "", known: variants.map { $0.uri.replacing(".m3u8", with: "") })
        }
        let variant = candidates[index]
        let members = renditions.filter { $0.groupID == variant.audioGroup && $0.uri != nil }
        let group = Self.mostWhole(of: members, counts) { $0.uri ?? "" }
        let audio = group.first(where: \.isDefault) ?? group.first
        return [variant.uri, audio?.uri].compactMap(\.self).map { RenditionID($0.replacing(".m3u8", with: "")) }
    }

    /// Returns those that lack at most a fiftieth of the slots that another one has.
    private static func mostWhole<Member>(
        of members: [Member],
        _ counts: [RenditionID: Int],
        uri: (Member) -> String
    ) -> [Member] {
        let counted = members.map { ($0, counts[RenditionID(uri($0).replacing(".m3u8", with: ""))] ?? 0) }
        let most = counted.map(\.1).max() ?? 0
        return counted.filter { $0.1 * 50 >= most * 49 }.map(\.0)
    }
}
