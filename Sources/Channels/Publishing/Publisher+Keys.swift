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
    ///   - outlook: The keys around a slot.
    ///   - classes: Whose keys protect the renditions.
    ///   - slot: The newest.
    /// - Returns: The next key of each rendition, where it is known.
    func keyHints(
        _ outlook: KeyOutlook,
        of classes: [RenditionID: KeyClass],
        at slot: MediaSequenceNumber
    ) -> [RenditionID: KeyHint] {
        guard let system = configuration.hintedKey,
            let (keys, start) = clearLead.nextKeys(outlook, at: slot, first: presentation.firstNumber)
        else { return [:] }
        let hints = keys.compactMapValues { keys in
            keys.first { $0.system == system }.flatMap(encryption.playlistKey).map { KeyHint(key: $0, firstUse: start) }
        }
        return classes.compactMapValues { hints[$0] }
    }
}
