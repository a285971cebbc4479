import MediaCore
import Playlists

extension SavedWindow {
    /// What one publication changes: a record of a journal.
    package struct Change: Hashable, Sendable, Codable {
        /// The slot that was appended.
        var slot: ListedSlot
        /// The number of the first slot that is still listed.
        var head: MediaSequenceNumber
        /// Nil where it is as before.
        var renditions: [RenditionDescription]?
        /// Nil where they are as before.
        var sessionKeys: [EncryptionKey]?
        /// Nil where they are as before.
        var meters: [RenditionID: BandwidthMeter]?
    }

    /// A change that does not fit the window that it shall be made to.
    package struct Misfit: Error, Hashable, Sendable {}

    /// What makes this of an earlier window; nil where that is more than one publication.
    package func change(since earlier: SavedWindow) -> Change? {
        guard let slot = window.last, let head = window.first?.number, let first = earlier.window.first?.number,
            earlier.window.last?.number.next == slot.number, head >= first
        else { return nil }
        return Change(
            slot: slot,
            head: head,
            renditions: renditions == earlier.renditions ? nil : renditions,
            sessionKeys: sessionKeys == earlier.sessionKeys ? nil : sessionKeys,
            meters: meters == earlier.meters ? nil : meters
        )
    }

    /// Makes a change again.
    ///
    /// - Throws: ``Misfit`` where the slot does not follow the last one, or the head goes back; nothing has changed then.
    package mutating func apply(_ change: Change) throws(Misfit) {
        guard let first = window.first?.number, window.last?.precedes(change.slot) == true,
            (first...change.slot.number).contains(change.head)
        else { throw Misfit() }
        window.append(change.slot)
        window.removeFirst(Int(change.head.value - first.value))
        renditions = change.renditions ?? renditions
        sessionKeys = change.sessionKeys ?? sessionKeys
        meters = change.meters ?? meters
    }
}
