import Logging
import MediaCore
import Operations
import Timeline

/// Reports about the clocks of inputs.
extension ChannelEngine {
    mutating func take(up finding: ClockFinding, _ feed: FeedIndex) {
        switch finding {
        case .continued(let shift, let correction):
            inputs.inherit(shift: shift, correction: correction, of: feed)
        case .began(let sharing, let distance, let others):
            inputs[feed].speed.began(at: now)
            if !sharing.isEmpty {
                let side = distance < .zero ? "before" : "after"
                noteTiming(
                    "Its timestamps use the same clock as those of \(Self.names(sharing)): they are in sync to the "
                        + "frame, although it arrives \(abs(distance.milliseconds)) ms \(side) them.",
                    feed
                )
            } else if !others.isEmpty {
                noteTiming(
                    "Its timestamps are unrelated to those of \(Self.names(others)): it is aligned by its arrival, "
                        + "and in sync only if all take the same time to arrive.",
                    feed
                )
            }
        case .apart(let track, let distance):
            let kind = inputs[feed].described.first { $0.index == track }?.kind.rawValue ?? "its kind"
            let side = distance < .zero ? "behind" : "ahead of"
            noteTiming(
                "Track \(track) (\(kind)) does not use the clock of the other tracks: its timestamps are "
                    + "\((abs(distance.milliseconds) + 500) / 1_000) s \(side) theirs. It is aligned by its arrival, so audio "
                    + "and video may be out of sync. Set the encoder to use one clock for all tracks.",
                feed
            )
        case .reanchored(let amount):
            if let news = inputs[feed].speed.reanchored(by: amount, at: now) { report(news, feed) }
        case .slewed(let amount):
            if let news = inputs[feed].speed.slewed(by: amount, at: now) { report(news, feed) }
        }
    }

    /// Reports news of an input's speed that was held back, once it is due.
    mutating func reportSpeed(of feed: FeedIndex) {
        if let news = inputs[feed].speed.due(at: now) { report(news, feed) }
    }

    private mutating func report(_ news: SpeedWatch.News, _ feed: FeedIndex) {
        let others = inputs.sharing(with: feed)
        let sharing =
            others.isEmpty ? "" : " The same holds for the inputs that share its clock: \(Self.names(others))."
        noteTiming(news.text + sharing, feed, level: news.isLoss ? .warning : .notice)
    }

    private mutating func noteTiming(_ what: String, _ feed: FeedIndex, level: Logger.Level = .notice) {
        var metadata: Logger.Metadata = ["what": "\(what)"]
        if level == .warning {
            metadata["viewers"] = "they see a jump, or miss the time that what names"
            metadata["do"] =
                "have the encoder send as fast as it plays (ffmpeg: -re); look at its load, its clock and the network"
        }
        log(level, "input timing", inputs[feed].id, metadata)
        note(.timing, what, severity: ChannelEvent.Severity(level), input: inputs[feed].id)
    }

    private static func names(_ positions: Set<InputPosition>) -> String {
        positions.sorted().map { InputID.input(at: $0).description }.joined(separator: ", ")
    }
}
