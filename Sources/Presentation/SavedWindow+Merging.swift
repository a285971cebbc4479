import MediaCore
import Playlists

extension SavedWindow {
    /// This window with what a twin has listed since, or the twin's where the two do not touch.
    ///
    /// What this one has listed stays as it is, for a published line is never changed (RFC 8216bis § 6.2.1).
    package func continued(by twin: SavedWindow) -> SavedWindow {
        guard let last = lastNumber, let twinLast = twin.lastNumber else { return lastNumber == nil ? twin : self }
        // Both go on from what the twin has measured; what either has declared is never taken back.
        var twin = twin
        twin.meters.merge(meters) { theirs, own in theirs.raised(to: own) }
        guard twinLast > last else {
            var own = self
            own.meters = twin.meters
            return own
        }
        guard !window.isEmpty, let first = twin.window.first?.number, first <= last.next,
            Set(renditions.map(\.id)) == Set(twin.renditions.map(\.id))
        else { return twin }
        var merged = self
        for slot in twin.window.slots where slot.number > last { merged.window.append(slot) }
        // Viewers go to and fro between the two, and the head of a playlist never goes back (RFC 8216bis § 6.2.2).
        merged.window.removeFirst(merged.window.slots.count { $0.number < first })
        merged.renditions = twin.renditions
        merged.sessionKeys = twin.sessionKeys
        merged.meters = twin.meters
        return merged
    }
}
