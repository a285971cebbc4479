package import MediaCore
package import Playlists

/// What decides whether a channel's playlists are served.
package struct EndpointState: Hashable, Sendable {
    /// UTC at which the newest slot was published, by this process or an earlier one; nil while none is.
    package var lastPublication: MediaTime?
    /// Whether a rendition that an input has is without media in the newest slot, or has not all of it.
    package var isIncomplete = false
    /// Whether the newest slot has media that no input delivered.
    package var hasFiller = false
    /// Whether keys can be given out, or are not needed.
    package var hasKeys = true
    /// Whether no slot will follow.
    package var isEnded = false
    /// The newest slot that this process has published.
    package var newestSlot: MediaSequenceNumber?
    /// What is known of the peer; nil where there is none.
    package var peer: Peer?
    /// Health of the channel, 0 to 100; nil while nobody has measured it.
    package var score: Int?

    /// The other packager of a pair.
    package struct Peer: Hashable, Sendable {
        /// Nil while it has not been asked, or does not answer.
        package var health: PeerHealth?
        /// UTC of its answer.
        package var heard = MediaTime.zero
    }

    package init() {}

    /// What an earlier process has published up to a time of UTC is listed again.
    package mutating func restored(until end: MediaTime) {
        lastPublication = end
    }

    /// A slot became visible; what is withdrawn of it is what no input has any more.
    package mutating func slotPublished(_ slot: PublishedSlot, withdrawn: Set<RenditionID> = [], now: MediaTime) {
        lastPublication = now
        newestSlot = slot.number
        isIncomplete = slot.segments.contains { id, segment in
            (segment.media == nil || segment.isPartial) && !withdrawn.contains(id)
        }
        hasFiller = slot.segments.values.contains { $0.filler != nil }
    }
}
