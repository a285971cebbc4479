package import MediaCore
import Timeline

/// The point where one segment ends and the next starts, on both clocks.
package struct Boundary: Hashable, Sendable {
    /// The time on the track's media timeline, as in `tfdt`.
    package var media: MediaTime
    /// The time in UTC, as in EXT-X-PROGRAM-DATE-TIME.
    package var utc: MediaTime

    package init(media: MediaTime, utcOffset: MediaTime) {
        self.media = media
        self.utc = media + utcOffset
    }

    /// Makes the boundary that ends a segment.
    ///
    /// UTC may be slewed against media time by no more than 2000 ppm of the segment, however late the cut is decided.
    /// So EXT-X-PROGRAM-DATE-TIME and EXTINF agree to less than a frame.
    package init(media: MediaTime, utcOffset: MediaTime, after start: Boundary) {
        let before = start.utc - start.media
        let limit = max((media - start.media).ticks, 0) / LagJudge.mostRate
        let change = max(-limit, min(limit, (utcOffset - before).ticks))
        self.init(media: media, utcOffset: before + MediaTime(ticks: change))
    }

    /// The largest error, less than a frame, that slewing makes up for in a few segments.
    private static let slewed = MediaTime(milliseconds: 20)

    /// Returns true if UTC minus media time differs by more than slewing soon makes up for.
    func isAstray(from utcOffset: MediaTime) -> Bool { abs((utc - media - utcOffset).ticks) > Self.slewed.ticks }
}
