package import MediaCore

/// The points of UTC that frames with timecode are presented at: every half frame, counted from a midnight.
package struct FrameGrid: Hashable, Sendable {
    let rate: TimecodeRate
    /// UTC of label 00:00:00:00.
    let midnight: MediaTime

    /// The point nearest to a time: the same for all times that jitter by less than a quarter of a frame.
    package func nearest(to time: MediaTime) -> MediaTime {
        midnight + rate.time(ofHalfFrames: rate.halfFrames(nearestTo: time - midnight))
    }

    /// A quarter of a frame.
    var tolerance: MediaTime { MediaTime(ticks: rate.time(ofHalfFrames: 1).ticks / 2) }
}
