package import MediaCore

/// One slot of a channel, complete: the segments of all tracks, published in one step.
package struct Slot: Sendable {
    package var number: MediaSequenceNumber
    /// True if slots before it were left out that playlists no longer list.
    package var followsLeap = false
    /// True if a track's decoder configuration differs from the one before: every rendition then carries
    /// EXT-X-DISCONTINUITY here, so that their discontinuity sequences agree (RFC 8216bis § 6.2.4).
    package var startsDiscontinuity: Bool
    /// The splice at its planned start, and its delay behind that.
    package var splice: (time: MediaTime, distance: MediaTime)?
    /// The times of the slot and of the one after it.
    var reach: SlotReach?
    /// The segments by track; nil for a track that was left out.
    package var segments: [CutSegment?]
    /// The source of the segment by track; nil if it is from none.
    package var sources: [SourceRank?]
    /// The decoder configuration, by track, of its newest segment that is not a gap, up to this slot; nil before it has
    /// had one.
    var configurations: [CodecConfiguration?] = []

    /// Returns a track's entry of ``configurations``; nil for a track that has come since.
    func configuration(of track: TrackIndex) -> CodecConfiguration? {
        track.value < configurations.count ? configurations[track.value] : nil
    }

    /// The indices of all tracks that it knows of.
    var tracks: Range<TrackIndex> { TrackIndex(0)..<TrackIndex(segments.count) }

    /// True if no track has anything for it.
    var isGap: Bool { segments.allSatisfy { $0?.isGap ?? true } }
}
