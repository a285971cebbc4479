/// The information that comes with a packet's bytes.
///
/// Timestamps are in 90 kHz ticks as the input counts them, before any unwrapping.
package struct PacketInfo: Hashable, Sendable {
    /// The ``InputTrack/index`` of its track.
    package var trackIndex: InputTrackIndex
    package var presentationTimestamp: Int64?
    package var decodeTimestamp: Int64?
    /// 90 kHz ticks; 0 if unknown.
    package var duration: Int64
    /// True if the demuxer saw damage or loss in it.
    package var isCorrupt: Bool
    /// True if it is decoded only because others depend on it, and not presented.
    package var isHidden: Bool
    /// The time since the last of it came to this machine, in 90 kHz ticks; 0 where that is not known.
    package var age: Int64 = 0
    /// The UTC of its presentation by its producer's clock, if the container has it.
    package var producerReferenceTime: MediaTime?

    package init(
        trackIndex: InputTrackIndex,
        presentationTimestamp: Int64?,
        decodeTimestamp: Int64?,
        duration: Int64 = 0,
        isCorrupt: Bool = false,
        isHidden: Bool = false,
        producerReferenceTime: MediaTime? = nil
    ) {
        self.trackIndex = trackIndex
        self.presentationTimestamp = presentationTimestamp
        self.decodeTimestamp = decodeTimestamp
        self.duration = duration
        self.isCorrupt = isCorrupt
        self.isHidden = isHidden
        self.producerReferenceTime = producerReferenceTime
    }
}
