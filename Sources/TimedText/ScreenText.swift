import MediaCore

/// The screen of a text service: each page stays until another one takes its place.
///
/// A cue is delivered when it appears, and again when its end is known.
package struct ScreenText: Sendable {
    private var open: FeedCue?
    /// The time until which it may stay, in 90 kHz ticks.
    private var limit: Int64 = 0
    /// The number of 90 kHz ticks after which timestamps wrap; nil if never.
    private let modulus: Int64?
    /// The time, in 90 kHz ticks, after which a page that is neither repeated, replaced nor cleared was forgotten by
    /// its encoder.
    private static let longest = 60 * MediaTime.timescale

    /// - Parameter modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    package init(modulus: Int64?) { self.modulus = modulus }

    /// A page came up.
    ///
    /// - Parameters:
    ///   - content: The content of the page; nil for none.
    ///   - time: The time of the page, in 90 kHz ticks.
    ///   - duration: The longest time that it stays, in 90 kHz ticks; nil for as long as nothing else comes.
    /// - Returns: The cue that it ends, and the one that it begins.
    package mutating func show(_ content: CueContent?, at time: Int64, for duration: Int64? = nil) -> [FeedCue] {
        var cues = reached(time)
        let limit = time &+ min(duration ?? Self.longest, Self.longest)
        // A repetition changes nothing.
        if let content, content == open?.content {
            self.limit = limit
            return cues
        }
        if let open { cues.append(close(open, at: time)) }
        open = content.map { FeedCue(start: time, duration: nil, content: $0) }
        self.limit = limit
        if let open { cues.append(open) }
        return cues
    }

    /// Takes the time of the feed, in 90 kHz ticks, at which texts may end.
    package mutating func reached(_ time: Int64) -> [FeedCue] {
        guard let cue = open, Timestamps.distance(from: limit, to: time, modulus: modulus) >= 0 else { return [] }
        open = nil
        return [close(cue, at: limit)]
    }

    private func close(_ cue: FeedCue, at time: Int64) -> FeedCue {
        let duration = Timestamps.distance(from: cue.start, to: time, modulus: modulus)
        // If the clock has jumped, it was shown for a moment.
        return FeedCue(start: cue.start, duration: max(duration, 1), content: cue.content)
    }
}
