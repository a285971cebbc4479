package import MediaCore
import Timeline

/// Where one segment ends and the next starts, on both clocks.
package struct Boundary: Hashable, Sendable {
    /// On the track's media timeline: what `tfdt` counts.
    package var media: MediaTime
    /// UTC: what EXT-X-PROGRAM-DATE-TIME says.
    package var utc: MediaTime

    package init(media: MediaTime, utcOffset: MediaTime) {
        self.media = media
        self.utc = media + utcOffset
    }

    /// The boundary that ends a segment.
    ///
    /// UTC may be slewed against media time by no more than 2000 ppm of the segment, however late the cut is decided,
    /// so that EXT-X-PROGRAM-DATE-TIME and EXTINF agree to less than a frame.
    package init(media: MediaTime, utcOffset: MediaTime, after start: Boundary) {
        let before = start.utc - start.media
        let limit = max((media - start.media).ticks, 0) / LagJudge.mostRate
        let change = max(-limit, min(limit, (utcOffset - before).ticks))
        self.init(media: media, utcOffset: before + MediaTime(ticks: change))
    }

    /// Less than a frame: UTC is slewed there in a few segments.
    private static let slewed = MediaTime(milliseconds: 20)

    /// Whether UTC lies elsewhere against media time by more than what is soon made up for.
    func isAstray(from utcOffset: MediaTime) -> Bool { abs((utc - media - utcOffset).ticks) > Self.slewed.ticks }
}
