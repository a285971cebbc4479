package import MediaCore
package import Operations
import Timeline

/// Schedules of people and programs.
///
/// The packager that accepts an action decides its times. No part of it falls into a slot that either member of a pair
/// may have decided on before it gets the action.
extension ChannelEngine {
    /// The origin of actions.
    package enum ScheduleOrigin: Sendable {
        /// The actions were accepted here.
        case here
        /// The actions were accepted before this run began.
        case earlier
        case peer
    }

    /// The actions that the schedule would take, and the outcome for each part.
    package struct Review: Sendable {
        package var actions: [ScheduleAction] = []
        /// The outcomes by content, one for each of its parts.
        package var outcomes: [[ScheduleOutcome]] = []
    }

    /// The actions that people and programs have scheduled.
    package var schedule: Schedule { programme.schedule }

    /// Returns the earliest time for an action accepted now, which is the meaning of "now" in a request.
    ///
    /// - Parameter now: The time now, in UTC.
    /// - Returns: The time, not before `now`, in whole milliseconds: requests and playlists have no finer times.
    package func earliest(at now: MediaTime) -> MediaTime {
        // A feed that is ahead of this machine's clock has later segments already.
        (max(now, segmenter.leaderEnd?.utc ?? now) + configuration.scheduleLead).roundedUpToMilliseconds
    }

    /// Checks contents that are to be scheduled.
    ///
    /// - Parameters:
    ///   - contents: The contents, in the order in which they are checked.
    ///   - now: The time now, in UTC.
    /// - Returns: The actions to take; nothing has changed.
    package func review(_ contents: [ScheduleAction.Content], at now: MediaTime) -> Review {
        let isOfPair = configuration.scheduleLead > .zero
        let effective = isOfPair ? earliest(at: now) : segmenter.leaderEnd?.utc ?? .zero
        var (review, engine) = (Review(), self)
        engine.now = now
        for content in contents {
            let (content, outcomes) = engine.reviewed(content, from: effective)
            review.outcomes.append(outcomes)
            guard let content else { continue }
            let action = ScheduleAction(content, accepted: now, effective: effective)
            review.actions.append(action)
            // Later contents are checked as if this one were accepted.
            engine.programme.accept(action, at: now)
        }
        return review
    }

    private func reviewed(
        _ content: ScheduleAction.Content,
        from effective: MediaTime
    ) -> (content: ScheduleAction.Content?, outcomes: [ScheduleOutcome]) {
        let isOfPair = configuration.scheduleLead > .zero
        let (accepted, outcomes): (ScheduleAction.Content?, [ScheduleOutcome])
        switch content {
        case .cues(let language, let cues):
            (accepted, outcomes) = reviewed(cues, in: language, from: isOfPair ? effective : nil)
        case .dateRange(let range, let announcement):
            let outcome = reviewed(range, announcedAt: announcement, from: effective, programme.dateRanges)
            (accepted, outcomes) = (outcome.isRefusal ? nil : content, [outcome])
        case .update(let update):
            let (content, outcome) = reviewed(update: update, from: effective, programme.dateRanges)
            (accepted, outcomes) = (content, [outcome])
        case .withdrawal(let id, _):
            let (content, outcome) = reviewed(removalOf: id, from: effective, programme.dateRanges)
            (accepted, outcomes) = (content, [outcome])
        case .splice(let section, let time):
            let outcome = reviewed(splice: section, at: time, from: effective)
            (accepted, outcomes) = (outcome.isRefusal ? nil : content, [outcome])
        case .metadata(let tag, let time):
            let outcome = reviewed(tag: tag, at: time, from: effective)
            (accepted, outcomes) = (outcome.isRefusal ? nil : content, [outcome])
        }
        guard let accepted, !programme.schedule.hasRoom(for: accepted) else { return (accepted, outcomes) }
        return (nil, outcomes.map { $0.isRefusal ? $0 : .refused(.tooMany) })
    }

    /// Takes actions that were accepted here, by the peer or in an earlier run.
    mutating func received(_ actions: [ScheduleAction], from origin: ScheduleOrigin) {
        for action in programme.schedule.news(among: actions, at: now) {
            let boundaries = programme.expectedBoundaries
            programme.accept(action, at: now)
            if case .peer = origin { noteLateness(of: action) }
            switch action.content {
            case .cues(let language, let cues):
                if let subtitles = subtitles(language) { received(cues.map { Cue($0) }, of: subtitles) }
            case .splice: conditionSplice(action, before: boundaries)
            case .dateRange, .update, .withdrawal, .metadata: break
            }
        }
    }

    func subtitles(_ language: String) -> Int? {
        configuration.subtitles.firstIndex { $0.language == language }
    }

    /// Reports slots that were decided on without an action that the peer has in them.
    private mutating func noteLateness(of action: ScheduleAction) {
        guard joining == nil, let end = segmenter.leaderEnd?.utc, action.effective < end else { return }
        note(
            .peer,
            "What the peer has accepted at \(action.accepted.iso8601) came \((end - action.effective).milliseconds) ms too "
                + "late for segments of both to have it: they may differ until then."
        )
    }
}
