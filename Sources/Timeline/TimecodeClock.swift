package import MediaCore

/// Reads timecode as UTC: a pure function of the label, so that any two machines come to the same tick.
///
/// A label is whole frames since midnight, and each frame lasts exactly as long as its rate says. At whole rates a day
/// of labels is a day. At 1000/1001 of these rates it is not, and labels are assumed to have been set right at
/// midnight. With drop-frame counting a day of labels is 86.4 ms too short, and makes a step of that much once a day.
/// Without, it is 86.4 s too long: such a generator has to be set every midnight, or its labels are soon wrong.
package struct TimecodeClock: Hashable, Sendable {
    /// The lead of the labels' time of day over UTC, which the feed does not state.
    ///
    /// It is never guessed: a generator that merely counts from zero would look like one in some time zone.
    let zone: MediaTime

    package struct Reading: Hashable, Sendable {
        package let time: MediaTime
        /// The grid of all frames of the same day.
        package let grid: FrameGrid
        /// True if `time` is the frame's exactly, without rounding to a tick.
        let isExact: Bool
    }

    private static let day = MediaTime(seconds: 86_400)

    /// - Parameter zone: The lead of the labels' time of day over UTC: one hour in Paris in winter.
    package init(zone: MediaTime = .zero) {
        self.zone = zone
    }

    /// UTC of a label.
    ///
    /// - Parameters:
    ///   - label: The label of the picture.
    ///   - rate: Frames a second.
    ///   - now: Any time within twelve hours of the label's: it gives the date and nothing else.
    /// - Returns: The time nearest to `now` that the label can mean; nil if the rate has no such label.
    package func read(_ label: Timecode, rate: TimecodeRate, near now: MediaTime) -> Reading? {
        guard let frame = rate.frame(at: label) else { return nil }
        let sinceMidnight = rate.time(ofHalfFrames: frame * 2)
        let days = MediaTime.rescale((now - (sinceMidnight - zone)).ticks, from: Self.day.ticks, to: 1)
        let midnight = Self.day * days - zone
        return Reading(
            time: midnight + sinceMidnight,
            grid: FrameGrid(rate: rate, midnight: midnight),
            isExact: rate.isExact(halfFrames: frame * 2)
        )
    }
}
