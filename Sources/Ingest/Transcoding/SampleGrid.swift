import MediaCore

/// Places decoded audio on a grid of AAC frames that everybody who reads the same timestamps shares.
///
/// Positions count samples from timestamp 0. Samples are counted, not timed: a timestamp counts only where audio begins
/// and where it deviates from the count by half a frame or more.
struct SampleGrid: Hashable, Sendable {
    /// The samples of an AAC frame, which begins at a multiple of this.
    static let frame = Int64(AACConfiguration.samplesPerFrame)

    /// Hz.
    let sampleRate: Int64
    /// The number of 90 kHz ticks after which timestamps wrap; nil if never.
    let modulus: Int64?
    /// The position of the next sample of the source; nil if only a timestamp gives it.
    private(set) var next: Int64?
    /// The samples of the source's last frame.
    private(set) var samplesPerFrame: Int64 = 0
    /// The position of the end of the last frame that was made.
    private(set) var end: Int64?

    /// The silence ahead of audio that begins somewhere within a frame, or the audio that is left out.
    struct Beginning: Hashable {
        /// The position of the first frame.
        var position: Int64
        /// Samples of silence ahead of the audio.
        var padding: Int
        /// Samples of the audio that are left out, since the time is taken.
        var omission: Int
    }

    init(sampleRate: Int64, modulus: Int64?, after other: SampleGrid? = nil) {
        self.sampleRate = sampleRate
        self.modulus = modulus
        end = other.flatMap { other in
            other.end.map { Self.ceil(MediaTime.rescale($0, from: other.sampleRate, to: sampleRate)) }
        }
    }

    /// Returns true if audio at a timestamp, in 90 kHz ticks, does not follow on what came before.
    func isJump(to timestamp: Int64) -> Bool {
        guard let next else { return true }
        let deviation = Timestamps.distance(from: ticks(next), to: timestamp, modulus: modulus)
        return deviation.magnitude >= MediaTime.rescale(max(2, samplesPerFrame), from: 2 * sampleRate, to: 90_000)
    }

    /// Starts or restarts the grid with audio at a timestamp in 90 kHz ticks.
    mutating func begin(at timestamp: Int64) -> Beginning {
        let start = MediaTime.rescale(timestamp, from: MediaTime.timescale, to: sampleRate)
        next = start
        var position = Self.floor(start)
        // A step back by less than a second is lateness, not another timeline.
        if let end, end > position, end - start < sampleRate { position = end }
        return Beginning(
            position: position,
            padding: Int(clamping: max(0, start - position)),
            omission: Int(clamping: max(0, position - start))
        )
    }

    /// Counts samples of the source that were placed.
    mutating func advance(by samples: Int) {
        next? += Int64(samples)
        samplesPerFrame = Int64(samples)
    }

    /// Stops the grid until audio begins anew.
    ///
    /// - Parameter position: The end of the last frame.
    mutating func stop(at position: Int64) {
        next = nil
        end = position
    }

    /// The timestamp of a position.
    func ticks(_ position: Int64) -> Int64 {
        Timestamps.reduce(MediaTime.rescale(position, from: sampleRate, to: MediaTime.timescale), modulus: modulus)
    }

    private static func floor(_ position: Int64) -> Int64 {
        let remainder = position % frame
        return position - (remainder < 0 ? remainder + frame : remainder)
    }

    private static func ceil(_ position: Int64) -> Int64 { floor(position + frame - 1) }
}
