package import MediaCore

/// Text that is shown from one point in time to another.
package struct TimedCue: Hashable, Sendable {
    /// Counted from the origin of its document.
    package var start: MediaTime
    /// The end on the same timeline, after `start`.
    package var end: MediaTime
    package var content: CueContent

    package init(start: MediaTime, end: MediaTime, content: CueContent) {
        self.start = start
        self.end = end
        self.content = content
    }
}

extension TimedCue: Comparable {
    /// The order in which cues are written, which does not depend on their arrival.
    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.start, lhs.end, lhs.content.bytes) < (rhs.start, rhs.end, rhs.content.bytes)
    }
}
