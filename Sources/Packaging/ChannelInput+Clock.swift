import Logging
import MediaCore
import Presentation
import Synchronization
import Timeline

/// What an operator is told of the clock of an input that is placed by its arrival.
extension ChannelInput {
    func tell(_ finding: ClockFinding, at arrival: MediaTime, _ state: inout State) {
        switch finding {
        case .began(let sharing, let distance, let others):
            state.speed.began(at: arrival)
            if !sharing.isEmpty {
                let side = distance < .zero ? "before" : "after"
                channel.inputTimed(
                    "Its timestamps count the same clock as those of \(Self.names(sharing)): they are in sync to the "
                        + "frame, though it arrives \(abs(distance.milliseconds)) ms \(side) them.",
                    input: id
                )
            } else if !others.isEmpty {
                channel.inputTimed(
                    "Its timestamps have nothing to do with those of \(Self.names(others)): it is placed by its own "
                        + "arrival, and in sync with them only as far as they take equally long to get here.",
                    input: id
                )
            }
        case .apart(let track, let distance):
            let kind = state.described.first { $0.index == track }?.kind.rawValue ?? "its kind"
            let side = distance < .zero ? "behind" : "ahead of"
            channel.inputTimed(
                "Track \(track) (\(kind)) does not count the clock of the other tracks: its timestamps are "
                    + "\((abs(distance.milliseconds) + 500) / 1_000) s \(side) theirs. It is placed by its own arrival, so that "
                    + "audio and video may be out of sync by as much as the encoder sends them apart. Have the encoder "
                    + "stamp all tracks by one clock.",
                input: id
            )
        case .anchoredAnew(let amount):
            if let news = state.speed.anchoredAnew(by: amount, at: arrival) { tell(news) }
        case .slewed(let amount):
            if let news = state.speed.slewed(by: amount, at: arrival) { tell(news) }
        }
    }

    /// Tells what was held back of its speed, once that is due.
    func tellSpeed(at now: MediaTime) {
        // Whoever reads may be held up for long, and nobody waits for that: a moment later will do.
        let news = state.withLockIfAvailable { $0.speed.due(at: now) } ?? nil
        if let news { tell(news) }
    }

    private func tell(_ news: SpeedWatch.News) {
        let others = clocks.withLock { $0.inputs(sharingWith: id.position) }.subtracting([id.position])
        let sharing = others.isEmpty ? "" : " The same goes for what shares its clock: \(Self.names(others))."
        channel.inputRunsFalse(news.text + sharing, isLoss: news.isLoss, input: id)
    }

    private static func names(_ positions: Set<Int>) -> String {
        positions.sorted().map { InputID.input($0).description }.joined(separator: ", ")
    }
}
