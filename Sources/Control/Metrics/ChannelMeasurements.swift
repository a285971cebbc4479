package import MediaCore
package import Playlists

/// What a channel has counted since it began.
package struct ChannelMeasurements: Hashable, Sendable {
    /// What the slots of a rendition were filled with.
    package struct Slots: Hashable, Sendable {
        package var media: Int
        package var gaps: Int
        package var slates: Int
        package var holds: Int
        /// Of all that is no media of the feed.
        package var lost: MediaTime

        package init(media: Int, gaps: Int, slates: Int, holds: Int, lost: MediaTime) {
            self.media = media
            self.gaps = gaps
            self.slates = slates
            self.holds = holds
            self.lost = lost
        }
    }

    /// How often something took how long.
    package struct Delays: Hashable, Sendable {
        /// One for each bound, of those below it and above the one before, and one for those above all.
        package var counts: [Int]
        /// In milliseconds, rising.
        package var bounds: [Int64]
        package var sum: MediaTime

        package init(counts: [Int], bounds: [Int64], sum: MediaTime) {
            self.counts = counts
            self.bounds = bounds
            self.sum = sum
        }
    }

    package var slots: [RenditionID: Slots]
    /// From the end of a slot to its publication.
    package var publication: Delays
    /// All bytes that it holds in memory.
    package var bytes: Int

    package init(slots: [RenditionID: Slots], publication: Delays, bytes: Int) {
        self.slots = slots
        self.publication = publication
        self.bytes = bytes
    }
}
