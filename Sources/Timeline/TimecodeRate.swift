package import MediaCore

/// A rate that timecode counts frames at (SMPTE ST 12-1), with the exact time of every frame of a day.
package struct TimecodeRate: Hashable, Sendable {
    /// Labels of a second: 24, 25, 30, 48, 50 or 60, and any other whole number.
    let framesPerSecond: Int64
    /// True if frames come at 1000/1001 of that rate, as at 23.976, 29.97 and 59.94.
    let isFractional: Bool

    /// Fails if the rate is neither a whole number nor 1000/1001 of one, to 200 ppm.
    init?(_ rate: Ratio) {
        let range = 1...Int(UInt32.max)
        guard range.contains(rate.numerator), range.contains(rate.denominator) else { return nil }
        let whole = (rate.numerator + rate.denominator - 1) / rate.denominator
        for candidate in [whole, whole - 1] where 1..<300 ~= candidate {
            for (scale, isFractional) in [(1000, false), (1001, true)] {
                let difference = rate.numerator * scale - candidate * 1000 * rate.denominator
                guard abs(difference) <= candidate * rate.denominator / 5 else { continue }
                framesPerSecond = Int64(candidate)
                self.isFractional = isFractional
                return
            }
        }
        return nil
    }

    /// Frames since midnight at a label; nil if the rate has no such label.
    package func frame(at label: Timecode) -> Int64? {
        let frames = Int64(label.frames)
        guard frames < framesPerSecond else { return nil }
        let minutes = Int64(label.hours * 60 + label.minutes)
        let count = (minutes * 60 + Int64(label.seconds)) * framesPerSecond + frames
        guard label.isDropFrame, isFractional, framesPerSecond % 30 == 0 else { return count }
        // ST 12-1: each minute but every tenth begins with label 2 at 29.97 frames a second, with 4 at 59.94.
        let dropped = framesPerSecond / 15
        if label.seconds == 0, label.minutes % 10 != 0, frames < dropped { return nil }
        return count - dropped * (minutes - minutes / 10)
    }

    /// Returns the time from midnight to a half frame, rounded once.
    ///
    /// Fields and telecined pictures are presented between whole frames.
    package func time(ofHalfFrames count: Int64) -> MediaTime {
        MediaTime(ticks: MediaTime.rescale(count, from: perSecond, to: MediaTime.timescale * scale))
    }

    /// The half frame that lies nearest to a time.
    func halfFrames(nearestTo time: MediaTime) -> Int64 {
        MediaTime.rescale(time.ticks, from: MediaTime.timescale * scale, to: perSecond)
    }

    /// Returns true if a half frame lies on a tick exactly, without rounding.
    func isExact(halfFrames count: Int64) -> Bool {
        count * MediaTime.timescale * scale % perSecond == 0
    }

    // Half frames in `scale` seconds.
    private var scale: Int64 { isFractional ? 1001 : 1 }
    private var perSecond: Int64 { framesPerSecond * 2 * (isFractional ? 1000 : 1) }
}
