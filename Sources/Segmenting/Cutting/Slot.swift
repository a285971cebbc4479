package import MediaCore

/// One slot of a channel, complete: what each track has for it, published in one step.
package struct Slot: Sendable {
    package var number: MediaSequenceNumber
    /// Whether slots before it were left out that nothing is listed of any more.
    package var followsLeap = false
    /// Whether a track's decoder configuration differs from the one before: every rendition then carries
    /// EXT-X-DISCONTINUITY here, so that their discontinuity sequences agree (RFC 8216bis § 6.2.4).
    package var startsDiscontinuity: Bool
    /// The splice that it was to begin with, and by how much it begins later.
    package var splice: (time: MediaTime, distance: MediaTime)?
    /// Where it lies, and the one after it.
    var reach: SlotReach?
    /// By track; nil for a track that was left out.
    package var segments: [CutSegment?]
    /// By track, which of its sources the segment is from; nil where it is from none.
    package var sources: [Int?]
    /// By track, what its newest segment with anything in it is decoded with, up to this slot; nil before it has had one.
    var configurations: [CodecConfiguration?] = []

    /// As ``configurations``; nil for a track that has come since.
    func configuration(of track: TrackIndex) -> CodecConfiguration? {
        track.value < configurations.count ? configurations[track.value] : nil
    }

    /// All tracks that it knows of.
    var tracks: Range<TrackIndex> { TrackIndex(0)..<TrackIndex(segments.count) }

    /// Whether no track has anything for it.
    var isGap: Bool { segments.allSatisfy { $0?.isGap ?? true } }
}
