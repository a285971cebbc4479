import MediaCore
import Playlists

extension SavedWindow {
    /// The change by one publication: a record of a journal.
    package struct Change: Hashable, Sendable, Codable {
        /// The appended slot, as a line after the one of the slot before.
        var record: SlotRecord
        /// The number of the first slot that is still listed.
        var head: MediaSequenceNumber
        /// The renditions; nil if they are as before.
        var renditions: [RenditionDescription]?
        /// The session keys; nil if they are as before.
        var sessionKeys: [EncryptionKey]?
        /// The bandwidth meters; nil if they are as before.
        var meters: [RenditionID: BandwidthMeter]?
        /// The splice plan; nil if it is as before.
        var splicePlan: SplicePlan?
    }

    /// A change that does not fit the window that it is applied to.
    package struct InapplicableChange: Error, Hashable, Sendable {}

    /// Returns the change that makes this window of an earlier one; nil if it takes more than one publication.
    package func change(since earlier: SavedWindow) -> Change? {
        guard let slot = window.last, let head = window.first?.number, let first = earlier.window.first?.number,
            let before = earlier.window.last, before.number.next == slot.number, head >= first
        else { return nil }
        return Change(
            record: SlotRecord(slot, after: before),
            head: head,
            renditions: renditions == earlier.renditions ? nil : renditions,
            sessionKeys: sessionKeys == earlier.sessionKeys ? nil : sessionKeys,
            meters: meters == earlier.meters ? nil : meters,
            splicePlan: splicePlan == earlier.splicePlan ? nil : splicePlan
        )
    }

    /// Applies a change.
    ///
    /// - Throws: ``InapplicableChange`` if the slot does not follow the last one, or lacks keys, or the head goes back; nothing has
    ///   changed then.
    package mutating func apply(_ change: Change) throws(InapplicableChange) {
        let slot = try change.record.slot(after: window.last)
        guard let first = window.first?.number, let last = window.last, last.precedes(slot),
            (first...slot.number).contains(change.head)
        else { throw InapplicableChange() }
        window.append(slot)
        window.removeFirst(Int(change.head.value - first.value))
        renditions = change.renditions ?? renditions
        sessionKeys = change.sessionKeys ?? sessionKeys
        meters = change.meters ?? meters
        window.splicePlan = change.splicePlan ?? splicePlan
    }
}
