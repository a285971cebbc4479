package import MediaCore

/// The slots of a recording in which holes may be filled.
package struct HealingReach: Hashable, Sendable {
    /// The kept slots that will not be published any more.
    package var numbers: Range<MediaSequenceNumber>
    /// The oldest slot that live viewers may request; nil if unknown.
    ///
    /// Their gaps stay gaps.
    package var served: MediaSequenceNumber?
    /// Slots that live viewers may have, and that could not be recorded.
    package var lost: Set<MediaSequenceNumber>

    package init(
        numbers: Range<MediaSequenceNumber>,
        served: MediaSequenceNumber?,
        lost: Set<MediaSequenceNumber> = []
    ) {
        (self.numbers, self.served, self.lost) = (numbers, served, lost)
    }
}

/// The times, sizes and counts within which a recording is healed.
package struct HealingLimits: Hashable, Sendable {
    /// The time between two searches for work.
    package var interval = MediaTime(seconds: 1)
    /// The time between two looks at the newest slots.
    package var period = MediaTime(seconds: 10)
    /// The time after which a peer that lacked slots is asked again.
    package var poll = MediaTime(seconds: 300)
    /// The pause after a failure, which is twice as long after each that follows.
    package var firstDelay = MediaTime(seconds: 1)
    package var longestDelay = MediaTime(seconds: 120)
    /// The number of failures in a row after which the operator is informed.
    package var patience = 3
    /// The failures after which a slot that the peer lists is skipped.
    package var attempts = 6
    /// The most bytes of a segment.
    package var segmentByteCount = 1 << 26
    /// The most bytes of an initialization section.
    package var initializationByteCount = 1 << 22
    /// The most bytes of a slot, with its initialization sections.
    package var slotByteCount = 1 << 28

    package init() {}
}
