import MediaCore
import NIOCore
import Operations
import Playlists
import Timeline

/// Subtitles that come separately from the feeds, in UTC.
///
/// Their renditions last as long as the channel: a slot without cues has an empty segment, even if their source is
/// lost.
extension ChannelEngine {
    /// The longest time ahead at which a cue may begin; later ones are refused.
    private static let horizon = MediaTime(seconds: 3600)
    /// The most cues that are kept of each.
    private static let mostCues = 10_000

    /// Gives each of the declared subtitles its places: one for each format, all with the same cues.
    mutating func addSubtitles() {
        for (index, attributes) in configuration.subtitles.enumerated() {
            for format in configuration.subtitleFormats {
                var plan = RenditionPlan(attributes, format, subtitles: index)
                // They follow all inputs.
                plan.position = configuration.positions.upperBound
                plan.order = renditions.count
                let earlier = renditions.indices.first {
                    renditions[$0].restored?.isOf(plan, besides: configuration.inputCount) ?? false
                }
                let place = earlier ?? add(plan, sourceCount: 1)
                if earlier != nil {
                    renditions.resume(with: place, as: plan)
                    renditions[place].plan.position = plan.position
                }
                segmenter.inputReached(MediaTime(ticks: .max), track: place, source: .primary, utcOffset: .zero)
            }
        }
        // A text that an earlier run has published, and that is no longer declared, leaves with the last of its media.
        for place in renditions.indices
        where renditions[place].restored?.isUndeclaredText(besides: configuration.inputCount) ?? false {
            segmenter.setSources([], of: place)
        }
        for (subtitles, cues) in programme.takeHeldCues() { received(cues, of: subtitles) }
    }

    /// Takes cues that have come, on the timeline of UTC.
    mutating func received(_ cues: [Cue], of subtitles: Int) {
        let accepted = zip(cues, outcomes(of: cues, in: subtitles)).filter { !$1.isRefusal }.map(\.0)
        guard inputs.hasStarted else { return programme.hold(accepted, of: subtitles) }
        for place in renditions.places(ofSubtitles: subtitles) { segmenter.received(accepted, track: place) }
    }

    /// Returns the outcome for cues that come now.
    ///
    /// - Parameters:
    ///   - cues: The cues, on the timeline of UTC.
    ///   - subtitles: The index of the declared subtitles that they belong to.
    /// - Returns: One outcome for each. If key frames do not lie at the edges of slots, a cue may be in a neighbouring
    ///   slot.
    private func outcomes(of cues: [Cue], in subtitles: Int) -> [ScheduleOutcome] {
        let place = renditions.places(ofSubtitles: subtitles).first
        let (end, waiting) = place.map { segmenter.cues(of: $0) } ?? (nil, programme.heldCueCount(of: subtitles))
        return cues.enumerated().map { index, cue in
            if waiting + index >= Self.mostCues { return .refused(.tooMany) }
            if cue.start > now + Self.horizon { return .refused(.tooEarly(limit: Self.horizon)) }
            if let end, cue.isOver(at: end) { return .refused(.over(before: end)) }
            return .slot(configuration.grid.slot(at: max(cue.start, end ?? cue.start)), at: cue.start)
        }
    }

    /// Checks cues that are to be shown.
    ///
    /// - Parameters:
    ///   - cues: The cues, in UTC.
    ///   - language: One of the declared languages.
    ///   - earliest: The time to which earlier starts are moved; nil if every cue that is not over is shown.
    /// - Returns: The cues that will be shown, nil for none, and the outcome for each.
    func reviewed(
        _ cues: [ScheduledCue],
        in language: String,
        from earliest: MediaTime?
    ) -> (content: ScheduleAction.Content?, outcomes: [ScheduleOutcome]) {
        guard let subtitles = subtitles(language) else { return (nil, cues.map { _ in .refused(.tooMany) }) }
        let clipped = cues.map { cue in
            var cue = cue
            cue.start = max(cue.start, earliest ?? cue.start)
            return cue
        }
        let outcomes = zip(clipped, outcomes(of: clipped.map { Cue($0) }, in: subtitles)).map { cue, outcome in
            cue.start < cue.end ? outcome : .refused(.overForPair(before: cue.start))
        }
        let accepted = zip(clipped, outcomes).filter { !$1.isRefusal }.map(\.0)
        return (accepted.isEmpty ? nil : .cues(language: language, accepted), outcomes)
    }

    /// Returns the distance from the media time of the other renditions to that of a text, at the start and at the end
    /// of a slot.
    ///
    /// Subtitles separate from the feeds are on the timeline of UTC, and pictures on the timeline of their input.
    func mediaOffsets(of slot: Slot, for cut: CutSegment) -> (atStart: MediaTime, atEnd: MediaTime) {
        let others = zip(renditions, slot.segments).filter { !$0.0.plan.kind.isSparse }
        guard let other = others.lazy.compactMap(\.1).first else { return (.zero, .zero) }
        func offset(_ boundary: Boundary) -> MediaTime { boundary.utc - boundary.media }
        return (offset(other.start) - offset(cut.start), offset(other.end) - offset(cut.end))
    }
}

extension Cue {
    /// Makes a cue on the timeline of UTC.
    init(_ cue: ScheduledCue) {
        self.init(start: cue.start, end: cue.end, payload: ByteBuffer(string: cue.payload))
    }
}

extension RestoredRendition {
    /// Returns true if the plan of an earlier run is for these subtitles.
    fileprivate func isOf(_ plan: RenditionPlan, besides inputCount: Int) -> Bool {
        isUndeclaredText(besides: inputCount) && description.kind == plan.kind
            && description.language == plan.language && description.isForced == plan.isForced
    }

    /// Returns true if the text came separately from the feeds, and no input has claimed it.
    fileprivate func isUndeclaredText(besides inputCount: Int) -> Bool {
        guard case .text = description.kind else { return false }
        return !isClaimed && description.input >= inputCount
    }
}
