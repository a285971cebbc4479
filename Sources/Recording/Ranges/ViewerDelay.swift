package import MediaCore

/// The time by which all viewers of a channel are kept behind.
///
/// Whatever viewers are told asks it where the stream ends for them: playlists, media, keys, breaks, and what is on air.
package struct ViewerDelay: Hashable, Sendable {
    /// The least age of what viewers have; zero if they are not kept behind.
    package var time: MediaTime
    /// The length of a slot.
    package var segmentDuration: MediaTime

    /// - Parameters:
    ///   - time: The least age of what viewers have.
    ///   - segmentDuration: The length of a slot.
    package init(_ time: MediaTime, segmentDuration: MediaTime) {
        precondition(segmentDuration > .zero, "a slot has a length")
        (self.time, self.segmentDuration) = (time, segmentDuration)
    }

    /// Returns the end of the slots that viewers may have.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The first slot that is kept from them; nil if they are not kept behind.
    package func end(at now: MediaTime) -> MediaSequenceNumber? {
        time > .zero ? MediaSequenceNumber((now - time).ticks / segmentDuration.ticks) : nil
    }

    /// Returns the slots that viewers may have of those that are recorded.
    ///
    /// - Parameters:
    ///   - extent: The slots that are recorded.
    ///   - now: UTC.
    /// - Returns: The slots from the first one on; none if all are kept from them.
    package func seen(of extent: Range<MediaSequenceNumber>, at now: MediaTime) -> Range<MediaSequenceNumber> {
        guard let end = end(at: now) else { return extent }
        return extent.lowerBound..<min(extent.upperBound, max(extent.lowerBound, end))
    }
}
