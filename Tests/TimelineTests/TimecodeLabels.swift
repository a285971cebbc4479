import MediaCore

/// Counts labels as a generator does, one frame after another, knowing nothing of formulas.
struct TimecodeLabels {
    var rate: Ratio
    var framesPerSecond: Int
    var isDropFrame: Bool
    private var hours = 0
    private var minutes = 0
    private var seconds = 0
    private var frames = 0

    init(rate: Ratio, isDropFrame: Bool = false) {
        self.rate = rate
        framesPerSecond = (rate.numerator + rate.denominator - 1) / rate.denominator
        self.isDropFrame = isDropFrame
    }

    /// Begins at a label that exists.
    init(rate: Ratio, isDropFrame: Bool = false, from hours: Int, _ minutes: Int, _ seconds: Int, _ frames: Int = 0) {
        self.init(rate: rate, isDropFrame: isDropFrame)
        (self.hours, self.minutes, self.seconds, self.frames) = (hours, minutes, seconds, frames)
    }

    var label: Timecode? {
        Timecode(
            hours: hours,
            minutes: minutes,
            seconds: seconds,
            frames: frames,
            isDropFrame: isDropFrame,
            frameRate: rate
        )
    }

    mutating func advance() {
        frames += 1
        guard frames == framesPerSecond else { return }
        (frames, seconds) = (0, seconds + 1)
        guard seconds == 60 else { return }
        (seconds, minutes) = (0, minutes + 1)
        if isDropFrame, minutes % 10 != 0 { frames = framesPerSecond == 60 ? 4 : 2 }
        guard minutes == 60 else { return }
        (minutes, hours) = (0, hours + 1)
        if hours == 24 { hours = 0 }
    }
}

extension Ratio {
    static let film = Ratio(24_000, 1001)
    static let ntsc = Ratio(30_000, 1001)
    static let ntscDouble = Ratio(60_000, 1001)
}
