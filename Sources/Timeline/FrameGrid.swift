package import MediaCore

/// The points of UTC that frames with timecode are presented at: every half frame, counted from a midnight.
package struct FrameGrid: Hashable, Sendable {
    package let rate: TimecodeRate
    /// UTC of label 00:00:00:00.
    package let midnight: MediaTime

    package init(rate: TimecodeRate, midnight: MediaTime) {
        self.rate = rate
        self.midnight = midnight
    }

    /// The point nearest to a time: the same for all times that jitter by less than a quarter of a frame.
    package func nearest(to time: MediaTime) -> MediaTime {
        midnight + rate.time(ofHalfFrames: rate.halfFrames(nearestTo: time - midnight))
    }

    /// A quarter of a frame.
    package var tolerance: MediaTime { MediaTime(ticks: rate.time(ofHalfFrames: 1).ticks / 2) }
}
