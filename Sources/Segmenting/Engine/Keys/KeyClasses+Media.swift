import ContentProtection
import MediaCore
import Playlists

/// Key classes of media.
extension KeyClasses {
    /// Returns the class of a segment, by its decoder configuration.
    ///
    /// A rendition whose pictures change in size changes its class with them, in the same slot as its initialization section.
    ///
    /// - Returns: Nil for video without a known configuration, as for a gap, which needs no key.
    func keyClass(of kind: MediaKind, _ configuration: CodecConfiguration?) -> KeyClass? {
        ofAll(kind)
            ?? configuration?.picture.map { picture in
                ofPicture(VideoClass(Resolution(picture)), isHDR: VideoRange(picture) != .standard)
            }
    }

    /// Returns the class of a rendition of an earlier run, or of a peer.
    func keyClass(of description: RenditionDescription) -> KeyClass? {
        ofAll(description.kind)
            ?? description.resolution.map { resolution in
                ofPicture(VideoClass(resolution), isHDR: description.videoRange != .standard)
            }
    }
}
