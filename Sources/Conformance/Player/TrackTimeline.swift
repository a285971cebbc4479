import MediaCore
import Playlists

/// The places of the segments of one media playlist on the media timeline.
///
/// A position is a date, shifted so that consecutive segments follow each other in time. Players go by the sum of
/// EXTINF, so a step of the date makes no hole.
struct TrackTimeline: Hashable, Sendable {
    private struct Entry: Hashable {
        var number: MediaSequenceNumber
        var range: Range<MediaTime>
        var date: MediaTime
    }

    /// The segments by number; those far behind the playhead are forgotten.
    private var entries: [Entry] = []
    private var shift = MediaTime.zero

    /// Takes the segments that were not known before.
    mutating func playlistLoaded(_ playlist: MediaPlaylist) {
        for (number, segment) in playlist.numbered {
            let last = entries.last
            if let last, number <= last.number { continue }
            var start = segment.programDateTime + shift
            if let last, number == last.number.next {
                let step = last.range.upperBound - start
                if step.magnitude > BufferedRanges.tolerance {
                    shift += step
                    start += step
                }
            }
            entries.append(
                Entry(number: number, range: start..<(start + segment.duration.time), date: segment.programDateTime)
            )
        }
    }

    /// Continues with another playlist, whose numbers and boundaries may be others.
    mutating func removeAll() { entries = [] }

    func range(of number: MediaSequenceNumber) -> Range<MediaTime>? {
        entries.last { $0.number == number }?.range
    }

    /// The UTC at a position, extrapolated beyond the known range.
    func date(at position: MediaTime) -> MediaTime? {
        let entry = entries.last { $0.range.lowerBound <= position } ?? entries.first
        return entry.map { $0.date + (position - $0.range.lowerBound) }
    }

    /// Forgets segments that end before a position, except the last one, which new ones follow.
    mutating func removeAll(before position: MediaTime) {
        let count = entries.dropLast().prefix { $0.range.upperBound < position }.count
        entries.removeFirst(count)
    }
}
