import MediaCore
import Playlists

extension MediaPlaylist {
    /// The number of the first listed segment: a delta update does not list all of them.
    var first: MediaSequenceNumber { mediaSequence.advanced(by: Int64(skip?.segmentCount ?? 0)) }

    /// The number after the last segment's.
    var end: MediaSequenceNumber { first.advanced(by: Int64(segments.count)) }

    /// The segments with their numbers.
    var numbered: Zip2Sequence<Range<MediaSequenceNumber>, [Segment]> { zip(first..<end, segments) }

    /// The segments with their numbers, and below them the one that is not over, which has no URI yet.
    var begun: [(number: MediaSequenceNumber, segment: Segment)] {
        var all = numbered.map { (number: $0, segment: $1) }
        if let open = openSegments.first { all.append((end, open.segment())) }
        return all
    }

    var hasParts: Bool { !openSegments.isEmpty || segments.contains { !$0.parts.isEmpty } }

    /// Moves the segments of a playlist without dates to where those of its former version were.
    ///
    /// - Returns: False if none of them, nor the end of the last, is known.
    mutating func continueDates(of before: MediaPlaylist?) -> Bool {
        guard !isDated, let before, !before.isDated, let own = segments.first?.programDateTime else { return true }
        let known = before.numbered.first { $0.0 == first }?.1.programDateTime
        let end = before.end == first ? before.segments.last.map { $0.programDateTime + $0.duration.time } : nil
        guard let shift = (known ?? end).map({ $0 - own }) else { return false }
        for index in segments.indices { segments[index].programDateTime += shift }
        return true
    }

    /// The sum of EXTINF.
    var duration: MediaTime { segments.reduce(.zero) { $0 + $1.duration.time } }

    var lastDiscontinuitySequence: Int { discontinuitySequence + segments.count(where: \.startsDiscontinuity) }

    /// The segment of a number; nil if it is not listed.
    subscript(number: MediaSequenceNumber) -> Segment? {
        guard number >= first, number < end else { return nil }
        return segments[Int(number.value - first.value)]
    }

    /// The Discontinuity Sequence Number of a listed segment (RFC 8216bis § 6.2.1).
    func discontinuitySequence(of number: MediaSequenceNumber) -> Int? {
        guard self[number] != nil else { return nil }
        let preceding = segments[...Int(number.value - first.value)]
        return discontinuitySequence + preceding.count(where: \.startsDiscontinuity)
    }
}

extension MediaPlaylist.OpenSegment {
    /// Returns the known parts of this open segment; the rest is as in another listing.
    func segment(as other: MediaPlaylist.Segment? = nil) -> MediaPlaylist.Segment {
        var segment = MediaPlaylist.Segment(
            uri: other?.uri ?? "",
            byteRange: other?.byteRange,
            duration: other?.duration ?? SegmentDuration(parts.duration),
            programDateTime: programDateTime,
            isGap: other?.isGap ?? false,
            startsDiscontinuity: startsDiscontinuity,
            keys: keys,
            map: map
        )
        segment.cue = other?.cue
        segment.parts = parts + (other?.parts.dropFirst(parts.count) ?? [])
        return segment
    }
}

extension [MediaPlaylist.Part] {
    /// The sum of their durations.
    var duration: MediaTime { reduce(.zero) { $0 + $1.duration.time } }
}

extension MediaTime {
    var magnitude: MediaTime { MediaTime(ticks: abs(ticks)) }
}
