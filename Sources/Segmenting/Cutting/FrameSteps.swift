import MediaCore

/// The steps from sample to sample of a video as they come, on the decode clock.
struct FrameSteps: Sendable {
    /// The time of the newest sample.
    private(set) var last: MediaTime?
    /// The newest three steps from sample to sample, the latest first.
    private var steps = (MediaTime(milliseconds: 20), MediaTime(milliseconds: 20), MediaTime(milliseconds: 20))
    private var isMeasured = false

    /// The time without samples from which on it is a loss, not a slow frame rate.
    static let hole = MediaTime(seconds: 1)

    /// The newest step; a sample's end may be known only after one like it.
    var newest: MediaTime { steps.0 }
    /// The duration of a frame: the median of three steps, since lost pictures make no long frame.
    var duration: MediaTime {
        let (newest, middle, oldest) = steps
        return max(min(newest, middle), min(max(newest, middle), oldest))
    }

    /// Notes the time of a sample; a hole is no frame.
    mutating func note(_ time: MediaTime) {
        defer { last = time }
        guard let last else { return }
        let step = time - last
        guard step > .zero, step < Self.hole else { return }
        steps = isMeasured ? (step, steps.0, steps.1) : (step, step, step)
        isMeasured = true
    }
}
