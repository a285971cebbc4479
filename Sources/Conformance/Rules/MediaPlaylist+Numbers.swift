import MediaCore
package import Playlists

extension MediaPlaylist {
    /// Reads what an origin sent, as ``init(parsing:values:)`` does.
    ///
    /// - Throws: ``PlaylistParsingError``, also for numbers so large that counting on from them would overflow.
    package init(received text: String, values: [String: String] = [:]) throws(PlaylistParsingError) {
        try self.init(parsing: text, values: values)
        let limit: Int64 = 1 << 53
        if targetDuration > 1_000_000 { throw .tooLarge("EXT-X-TARGETDURATION") }
        if mediaSequence.value > limit { throw .tooLarge("EXT-X-MEDIA-SEQUENCE") }
        if discontinuitySequence > limit { throw .tooLarge("EXT-X-DISCONTINUITY-SEQUENCE") }
    }

    /// The number after the last segment's.
    var end: MediaSequenceNumber { mediaSequence.advanced(by: Int64(segments.count)) }

    /// The segments with their numbers.
    var numbered: Zip2Sequence<Range<MediaSequenceNumber>, [Segment]> { zip(mediaSequence..<end, segments) }

    /// The sum of EXTINF.
    var duration: MediaTime { segments.reduce(.zero) { $0 + $1.duration.time } }

    var lastDiscontinuitySequence: Int { discontinuitySequence + segments.count(where: \.startsDiscontinuity) }

    /// The segment of a number; nil if it is not listed.
    subscript(number: MediaSequenceNumber) -> Segment? {
        guard number >= mediaSequence, number < end else { return nil }
        return segments[Int(number.value - mediaSequence.value)]
    }

    /// The Discontinuity Sequence Number of a listed segment (RFC 8216bis § 6.2.1).
    func discontinuitySequence(of number: MediaSequenceNumber) -> Int? {
        guard self[number] != nil else { return nil }
        let preceding = segments[...Int(number.value - mediaSequence.value)]
        return discontinuitySequence + preceding.count(where: \.startsDiscontinuity)
    }
}

extension PlaylistParsingError {
    fileprivate static func tooLarge(_ tag: String) -> Self { Self(line: 1, reason: .malformed(tag: tag)) }
}

extension MediaTime {
    var magnitude: MediaTime { MediaTime(ticks: abs(ticks)) }
}
