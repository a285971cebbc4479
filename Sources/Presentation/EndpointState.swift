package import MediaCore

/// What decides whether a channel's playlists are served.
package struct EndpointState: Hashable, Sendable {
    /// UTC at which the newest slot was published, by this process or an earlier one; nil while none is.
    package var lastPublication: MediaTime?
    /// Whether a rendition has no media in the newest slot, or not for all of it.
    package var isIncomplete = false
    /// Whether the newest slot has media that no input delivered.
    package var hasFiller = false
    /// Whether keys can be given out, or are not needed.
    package var hasKeys = true
    /// Whether no slot will follow.
    package var isEnded = false
    /// Health of the channel, 0 to 100; nil while nobody has measured it.
    package var score: Int?

    package init() {}

    /// What an earlier process has published up to a time of UTC is listed again.
    package mutating func restored(until end: MediaTime) {
        lastPublication = end
    }

    package mutating func slotPublished(_ slot: PublishedSlot, now: MediaTime) {
        lastPublication = now
        isIncomplete = slot.segments.values.contains { $0.media == nil || $0.isPartial }
        hasFiller = slot.segments.values.contains { $0.filler != nil }
    }
}
