package import MediaCore

/// The delay of all viewers of a channel.
///
/// Playlists, media, keys, breaks and the state of the channel all depend on it for the end of the stream.
package struct ViewerDelay: Hashable, Sendable {
    /// The least age of the media that viewers have; zero without a delay.
    package var time: MediaTime
    /// The length of a slot.
    package var segmentDuration: MediaTime

    /// - Parameters:
    ///   - time: The least age of the media that viewers have.
    ///   - segmentDuration: The length of a slot.
    package init(_ time: MediaTime, segmentDuration: MediaTime) {
        precondition(segmentDuration > .zero, "a slot has a length")
        (self.time, self.segmentDuration) = (time, segmentDuration)
    }

    /// Returns the end of the slots that viewers may have.
    ///
    /// - Parameter now: UTC.
    /// - Returns: The first slot that they may not have; nil without a delay.
    package func end(at now: MediaTime) -> MediaSequenceNumber? {
        time > .zero ? MediaSequenceNumber((now - time).ticks / segmentDuration.ticks) : nil
    }

    /// Returns the recorded slots that viewers may have.
    ///
    /// - Parameters:
    ///   - extent: The slots that are recorded.
    ///   - now: UTC.
    /// - Returns: The slots from the first one on; none if viewers may have none.
    package func seen(of extent: Range<MediaSequenceNumber>, at now: MediaTime) -> Range<MediaSequenceNumber> {
        guard let end = end(at: now) else { return extent }
        return extent.lowerBound..<min(extent.upperBound, max(extent.lowerBound, end))
    }
}
