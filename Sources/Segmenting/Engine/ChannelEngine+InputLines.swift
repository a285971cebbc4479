import Codecs
import Logging
import MediaCore
import Operations

/// What is said of inputs that are not there, and of what libraries say of those that are.
extension ChannelEngine {
    /// Says of inputs that are waited for that they are.
    mutating func tellAbsences() {
        for feed in feeds.range {
            if let news = feeds[feed.value].absence.timeAdvanced(to: now) { tellAbsence(news, of: feed) }
        }
    }

    mutating func tellAbsence(_ news: AbsenceWatch.News, of feed: FeedIndex) {
        let input = feeds[feed.value].id
        switch news {
        case .failed(let reason):
            let viewers = hasStarted ? lossForViewers(of: input) : "they have nothing of it until it is there"
            let metadata: Logger.Metadata = [
                "reason": "\(reason)", "viewers": "\(viewers)", "do": "\(Self.remedyForLoss)",
            ]
            log(.warning, "input not opened", input, metadata)
        case .waiting(let seconds, let reason):
            var metadata: Logger.Metadata = ["seconds": .number(seconds)]
            if let reason { metadata["reason"] = "\(reason)" }
            log(feeds[feed.value].hasOpened ? .warning : .notice, "waiting for input", input, metadata)
        }
    }

    /// Tells of a feed that changes what it sends: it may be another programme than the one that belongs here.
    mutating func noteFormat(of unit: TrackReader.Unit, _ place: TrackIndex, _ feed: FeedIndex) {
        guard let news = feeds[feed.value].formats.received(unit.configuration, place: place, at: now) else { return }
        let (id, kind) = (feeds[feed.value].id, renditions[place.value].plan.kind)
        switch news {
        case .changed(let from, let to):
            var metadata: Logger.Metadata = ["\(kind)": "\(from) → \(to)"]
            if let rendition = renditions[place.value].id { metadata["rendition"] = "\(rendition)" }
            log(.notice, "input changed", id, metadata)
            note(.tracks, "Its \(kind) has changed: \(from) → \(to).\(publication(of: id, place))", input: id)
        case .changesAgainAndAgain(let from, let to):
            let problem =
                "its \(kind) changes again and again, most lately \(from) → \(to): more than one encoder may send to this address"
            report(problem, input: id)
        }
    }

    /// Says which rendition a track belongs to: names are for the channel's life, whatever comes.
    private func publication(of input: InputID, _ place: TrackIndex) -> String {
        guard let id = renditions[place.value].id else { return "" }
        if case .input(let other) = renditions[place.value].onAir, other != input { return " It stands by for \(id)." }
        return " It is published as \(id)."
    }

    /// Passes on what a library says, which our own reports mostly say better: errors at `info`, warnings at `debug`.
    mutating func tell(_ line: LibraryLine, of feed: FeedIndex) {
        guard let suppressed = feeds[feed.value].libraryLines.admit("\(line.source) \(line.text)", at: now) else {
            return
        }
        var metadata: Logger.Metadata = ["from": "\(line.source)", "what": "\(line.text)"]
        if suppressed > 0 { metadata["repeated"] = .number(suppressed) }
        log(line.severity == .error ? .info : .debug, "library", feeds[feed.value].id, metadata)
    }
}
