package import MediaCore
package import NIOCore

/// Text that is shown for a while, or another datum that belongs to a time.
package struct Cue: Hashable, Sendable {
    /// On the track's media timeline; cues that span the edge of a segment keep their own times.
    package var start: MediaTime
    /// On the same; nil while nobody knows it.
    package var end: MediaTime?
    package var payload: ByteBuffer

    package init(start: MediaTime, end: MediaTime?, payload: ByteBuffer) {
        self.start = start
        self.end = end
        self.payload = payload
    }

    /// Whether it is shown at any time from one point on to before another; one without length is shown at its start.
    func overlaps(_ from: MediaTime, _ to: MediaTime?) -> Bool { !isOver(at: from) && to.map { start < $0 } ?? true }

    /// Whether it is shown neither from a point on nor later.
    func isOver(at time: MediaTime) -> Bool { end.map { max($0, start + MediaTime(ticks: 1)) <= time } ?? false }
}
