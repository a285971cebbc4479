package import MediaCore
package import Playlists

/// The facts that decide if a channel's playlists are served.
package struct EndpointState: Hashable, Sendable {
    /// UTC at which the newest slot was published, by this process or an earlier one; nil while none is.
    package var lastPublication: MediaTime?
    /// True if the newest slot lacks media, or part of it, in a rendition that an input has.
    package var isIncomplete = false
    /// True if the newest slot has media that no input delivered.
    package var hasFiller = false
    /// True if keys can be given out, or are not needed.
    package var hasKeys = true
    /// True if no slot will follow.
    package var isEnded = false
    /// The newest slot that this process has published.
    package var newestSlot: MediaSequenceNumber?
    /// The last answer of the peer; nil if there is no peer.
    package var peer: Peer?

    /// The other packager of a pair.
    package struct Peer: Hashable, Sendable {
        /// The health that it last reported; nil if it has not been asked yet or does not answer.
        package var health: PeerHealth?
        /// UTC of its answer.
        package var heard = MediaTime.zero
    }

    package init() {}

    /// Notes that slots up to a time in UTC, published by an earlier process, are listed again.
    package mutating func restored(until end: MediaTime) {
        lastPublication = end
    }

    /// Notes a slot that became visible; `withdrawn` names the renditions that no input has any more.
    package mutating func slotPublished(_ slot: PublishedSlot, withdrawn: Set<RenditionID> = [], now: MediaTime) {
        lastPublication = now
        newestSlot = slot.number
        isIncomplete = slot.segments.contains { id, segment in
            (segment.media == nil || segment.isPartial) && !withdrawn.contains(id)
        }
        hasFiller = slot.segments.values.contains { $0.filler != nil }
    }
}
