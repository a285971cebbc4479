/// A label of SMPTE ST 12-1: the time of day that a picture belongs to, in whole frames and without a date.
package struct Timecode: Hashable, Sendable {
    package let hours: Int
    package let minutes: Int
    package let seconds: Int
    /// Frames since the second began, counted to the full frame rate also above 30 a second.
    package let frames: Int
    /// True if counting leaves labels out, so that 29.97 or 59.94 frames a second keep to the time of day.
    package let isDropFrame: Bool
    /// Frames a second, where what carries the label says so.
    package var frameRate: Ratio?

    /// Fails if a number is out of range; `frames` is not checked, because its range depends on the rate.
    package init?(
        hours: Int,
        minutes: Int,
        seconds: Int,
        frames: Int,
        isDropFrame: Bool = false,
        frameRate: Ratio? = nil
    ) {
        guard 0..<24 ~= hours, 0..<60 ~= minutes, 0..<60 ~= seconds, frames >= 0 else { return nil }
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.frames = frames
        self.isDropFrame = isDropFrame
        self.frameRate = frameRate
    }
}

extension Timecode: CustomStringConvertible {
    /// `10:59:59:24`; a semicolon ahead of the frames tells drop-frame counting.
    package var description: String {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let separator = isDropFrame ? ";" : ":"
        return "\(digits(hours)):\(digits(minutes)):\(digits(seconds))\(separator)\(digits(frames))"
    }
}
