import Codecs
import Logging
import MediaCore
import Operations

/// Messages about absent inputs, and lines of libraries about open ones.
extension ChannelEngine {
    /// Reports the inputs that are waited for.
    mutating func reportAbsences() {
        for feed in inputs.range {
            if let news = inputs[feed].absence.timeAdvanced(to: now) { reportAbsence(news, of: feed) }
        }
    }

    /// Reports news of one input that is waited for.
    mutating func reportAbsence(_ news: AbsenceWatch.News, of feed: FeedIndex) {
        let input = inputs[feed].id
        let viewers = inputs.hasStarted ? lossForViewers(of: input) : "they get nothing from it until it opens"
        var metadata: Logger.Metadata = ["viewers": "\(viewers)", "do": "\(Self.remedyForLoss)"]
        switch news {
        case .failed(let reason):
            metadata["reason"] = "\(reason)"
            log(.warning, "input not opened", input, metadata)
        case .waiting(let seconds, let reason):
            metadata["seconds"] = .number(seconds)
            if let reason { metadata["reason"] = "\(reason)" }
            log(inputs[feed].hasOpened ? .warning : .notice, "waiting for input", input, metadata)
        }
    }

    /// Reports a feed that changes its format: it may carry the wrong programme.
    mutating func noteFormat(of unit: TrackReader.Unit, _ place: TrackIndex, _ feed: FeedIndex) {
        guard let news = inputs[feed].formats.received(unit.configuration, place: place, at: now) else { return }
        let (id, kind) = (inputs[feed].id, renditions[place].plan.kind)
        switch news {
        case .changed(let from, let to):
            var metadata: Logger.Metadata = ["\(kind)": "\(from) → \(to)"]
            if let rendition = renditions[place].id { metadata["rendition"] = "\(rendition)" }
            log(.notice, "input changed", id, metadata)
            note(.tracks, "Its \(kind) has changed: \(from) → \(to).\(publication(of: id, place))", input: id)
        case .changesAgainAndAgain(let from, let to):
            let problem =
                "its \(kind) changes again and again, most recently \(from) → \(to): more than one encoder may send to this address"
            report(problem, .changesAgainAndAgain, input: id)
        }
    }

    /// Returns the sentence that names the rendition of a track; names never change during the channel's life.
    private func publication(of input: InputID, _ place: TrackIndex) -> String {
        guard let id = renditions[place].id else { return "" }
        if case .input(let other) = renditions[place].onAir, other != input { return " It stands by for \(id)." }
        return " It is published as \(id)."
    }

    /// Logs a line of a library, which our own reports mostly say better: errors at `info`, warnings at `debug`.
    mutating func report(_ line: LibraryLine, of feed: FeedIndex) {
        guard let suppressed = inputs[feed].libraryLines.admit("\(line.source) \(line.text)", at: now) else {
            return
        }
        var metadata: Logger.Metadata = ["from": "\(line.source)", "what": "\(line.text)"]
        if suppressed > 0 { metadata["repeated"] = .number(suppressed) }
        log(line.severity == .error ? .info : .debug, "library", inputs[feed].id, metadata)
    }
}
