import ContentProtection
import MediaCore
import Packaging
import Playlists
import Presentation
import Segmenting
import Timeline

/// Which slots are protected, and which key players need next.
extension Publisher {
    /// The slot with which protection begins, where the channel has a clear lead.
    ///
    /// It follows from the one with which the channel first began: a restart has no clear lead of its own. Members of a pair
    /// that begin together may each begin with another slot; that of the earlier one counts, once the other has heard of it.
    ///
    /// - Parameter slot: The channel begins with it where nothing was published before.
    /// - Returns: The first slot behind the clear lead; nil where there is none.
    func firstProtectedSlot(from slot: MediaSequenceNumber) -> MediaSequenceNumber? {
        guard configuration.clearLead > 0 else { return nil }
        let first = min(presentation.firstNumber ?? slot, slot)
        return MediaSequenceNumber(first.value + configuration.clearLead)
    }

    /// The next key of each rendition: in a clear lead the first that is used, else that of the next crypto period.
    ///
    /// - Parameters:
    ///   - outlook: The keys around a slot.
    ///   - classes: Whose keys protect the renditions.
    ///   - slot: The newest.
    /// - Returns: What playlists announce, where it is known.
    func keyHints(
        _ outlook: KeyOutlook,
        of classes: [RenditionID: KeyClass],
        at slot: MediaSequenceNumber
    ) -> [RenditionID: KeyHint] {
        guard let system = configuration.hintedKey, let periods = configuration.cryptoPeriods else { return [:] }
        var (keys, start) = (outlook.nextKeys, outlook.nextKeysStart)
        if let first = firstProtectedSlot(from: slot), slot < first {
            start = configuration.grid.start(of: first)
            switch periods.period(of: first) {
            case periods.period(of: slot): keys = outlook.keys
            case periods.period(of: slot).next: break
            default: keys = [:]
            }
        }
        guard let start else { return [:] }
        let hints = keys.compactMapValues { keys in
            keys.first { $0.system == system }.flatMap(encryption.playlistKey).map { KeyHint(key: $0, firstUse: start) }
        }
        return classes.compactMapValues { hints[$0] }
    }
}
