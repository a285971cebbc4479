package import MediaCore
package import NIOCore

/// A text that is shown for a while, or other data with a time.
package struct Cue: Hashable, Sendable {
    /// The start, on the track's media timeline; cues that span the edge of a segment keep their own times.
    package var start: MediaTime
    /// The end, on the same timeline; nil while it is not known.
    package var end: MediaTime?
    package var payload: ByteBuffer

    package init(start: MediaTime, end: MediaTime?, payload: ByteBuffer) {
        self.start = start
        self.end = end
        self.payload = payload
    }

    /// Returns true if it is shown at any time from one point to before another; a cue without length is shown at its
    /// start.
    func overlaps(_ from: MediaTime, _ to: MediaTime?) -> Bool { !isOver(at: from) && to.map { start < $0 } ?? true }

    /// Returns true if it is shown neither at a time nor later.
    func isOver(at time: MediaTime) -> Bool { end.map { max($0, start + MediaTime(ticks: 1)) <= time } ?? false }
}
