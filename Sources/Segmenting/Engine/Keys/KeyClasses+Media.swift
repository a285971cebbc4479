import ContentProtection
import MediaCore
import Playlists

/// Whose key protects what.
extension KeyClasses {
    /// The class of a segment, by what it is decoded with.
    ///
    /// A rendition whose pictures change in size changes its class with them, in the same slot as its initialization section.
    ///
    /// - Returns: Nil for video of which nothing is known, as for a gap, which needs no key.
    func keyClass(of kind: MediaKind, _ configuration: CodecConfiguration?) -> KeyClass? {
        ofAll(kind)
            ?? configuration?.picture.map { picture in
                ofPicture(VideoClass(Resolution(picture)), isHDR: VideoRange(picture) != .standard)
            }
    }

    /// The class of what an earlier run, or a peer, has published.
    func keyClass(of description: RenditionDescription) -> KeyClass? {
        ofAll(description.kind)
            ?? description.resolution.map { resolution in
                ofPicture(VideoClass(resolution), isHDR: description.videoRange != .standard)
            }
    }
}
