import ContentProtection
import MediaCore
import Packaging
import Playlists
import Presentation
import Segmenting

/// Which key players need next.
extension Publisher {
    /// What playlists announce.
    ///
    /// - Parameters:
    ///   - next: The keys that are used next.
    ///   - classes: Whose keys protect the renditions.
    /// - Returns: The next key of each rendition, where it is known.
    func keyHints(_ next: KeyAnnouncement?, of classes: [RenditionID: KeyClass]) -> [RenditionID: KeyHint] {
        guard let system = configuration.hintedKey, let next else { return [:] }
        let hints = next.keys.compactMapValues { keys in
            keys.first { $0.system == system }.flatMap(encryption.playlistKey).map {
                KeyHint(key: $0, firstUse: next.start)
            }
        }
        return classes.compactMapValues { hints[$0] }
    }
}
