import MediaCore
import Playlists

extension SavedWindow {
    /// Returns this window with the slots that a peer has listed since, or the peer's window if the two do not touch.
    ///
    /// The slots of this one do not change, because a published line never does (RFC 8216bis § 6.2.1).
    package func continued(by peer: SavedWindow) -> SavedWindow {
        guard let last = lastNumber, let peerLast = peer.lastNumber else { return lastNumber == nil ? peer : self }
        // Both continue from the larger of the two measurements; a declared bandwidth is never taken back.
        var peer = peer
        peer.meters.merge(meters) { theirs, own in theirs.raised(to: own) }
        guard peerLast > last else {
            var own = self
            own.meters = peer.meters
            return own
        }
        guard !window.isEmpty, let first = peer.window.first?.number, first <= last.next,
            Set(renditions.map(\.id)) == Set(peer.renditions.map(\.id))
        else { return peer }
        var merged = self
        for slot in peer.window.slots where slot.number > last { merged.window.append(slot) }
        // Viewers go to and fro between the two, and the head of a playlist never goes back (RFC 8216bis § 6.2.2).
        merged.window.removeFirst(merged.window.slots.count { $0.number < first })
        merged.renditions = peer.renditions
        merged.sessionKeys = peer.sessionKeys
        merged.meters = peer.meters
        merged.window.splicePlan = peer.splicePlan
        return merged
    }
}
