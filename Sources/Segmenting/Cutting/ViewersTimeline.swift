import MediaCore

/// The media timeline that viewers have, as the tracks that they have define it.
///
/// Each source has a timeline of its own, and is moved onto that of the viewers when it begins to fill a track. Media
/// timestamps of renditions must match (RFC 8216bis § 6.2.4), so a track that is new is moved like the others.
struct ViewersTimeline: Sendable {
    /// A track that viewers have.
    struct Track: Sendable {
        /// The source of its newest media.
        var source: SourceRank
        /// Media time of the track minus media time of that source.
        var shift: MediaTime
        /// The end of its newest segment.
        var end: Boundary
    }

    var tracks: [Track] = []
    /// UTC minus media time, as the leading track has it, or another one while that is new; nil before the stream has
    /// started.
    var utcOffset: MediaTime?

    /// The most that UTC is slewed while a feed is handed over.
    static let mostSlewing = MediaTime(milliseconds: 2)
    /// Time passed, divided by the most that UTC is slewed meanwhile: 2 ms a second.
    private static let slewing: Int64 = 500

    /// Returns the shift of a source with which a track begins.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - start: The start of its media, on its own timeline.
    /// - Returns: The shift that other tracks of the source have, or the one that keeps UTC; nil before the stream has
    ///   started.
    func shift(of source: SourceRank, from start: Boundary) -> MediaTime? {
        guard let utcOffset else { return nil }
        let own = start.utc - start.media
        // A source of the same rank may be another input, whose clock differs.
        let sibling = tracks.first { track in
            guard track.source == source else { return false }
            let difference = (track.end.utc - track.end.media + track.shift) - own
            let passed = abs((track.end.utc - start.utc).ticks)
            return abs(difference.ticks) <= Self.mostSlewing.ticks + passed / Self.slewing
        }
        return sibling?.shift ?? own - utcOffset
    }
}

extension Segmenter {
    /// The timeline of viewers.
    var viewersTimeline: ViewersTimeline {
        var timeline = ViewersTimeline()
        // A closure would get a copy of each track.
        for index in tracks.range {
            if let track = tracks[index.value].onViewersTimeline { timeline.tracks.append(track) }
        }
        guard hasStarted else { return timeline }
        let others = tracks.range.filter { !tracks[$0.value].kind.isSparse }
        let end = ([leader] + others).lazy.compactMap { tracks[$0.value].end?.boundary }.first
        timeline.utcOffset = end.map { $0.utc - $0.media }
        return timeline
    }
}
