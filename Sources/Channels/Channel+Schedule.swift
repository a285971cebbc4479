package import MediaCore
package import Operations
package import Playlists
import Segmenting
import Synchronization

/// Schedules of people and programs.
extension Channel {
    /// Returns the earliest time for an action accepted now.
    ///
    /// - Parameter now: The time now, in UTC.
    /// - Returns: The time, not before `now`.
    package func earliest(at now: MediaTime) -> MediaTime { core.withLock { $0.engine.earliest(at: now) } }

    /// Schedules those contents that can be scheduled.
    ///
    /// - Parameters:
    ///   - contents: The contents in order, with their times in UTC.
    ///   - now: The time now in UTC, as passed to ``earliest(at:)``.
    /// - Returns: The outcomes by content, one for each of its parts.
    package func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) -> [[ScheduleOutcome]] {
        let reading = ClockReading(utc: clock.now, wallClock: clock.wallClock)
        // One lock covers the check and the acceptance, so that the state cannot change in between.
        let (outcomes, work) = core.withLock { core in
            let review = core.engine.review(contents, at: now)
            if review.actions.isEmpty { return (review.outcomes, Core.Work()) }
            return (review.outcomes, core.handle(.scheduled(review.actions, .here), at: reading, window: nil))
        }
        run(work)
        return outcomes
    }

    /// Continues with actions that were accepted before this run began; called once the published window is known.
    package func recall(_ actions: [ScheduleAction]) { handle(.scheduled(actions, .earlier)) }

    /// Takes actions that the peer has accepted.
    package func merge(_ actions: [ScheduleAction]) { handle(.scheduled(actions, .peer)) }

    /// The actions that may still have an effect.
    package var schedule: Schedule { core.withLock { $0.engine.schedule } }

    /// All date ranges with all their attributes: the ranges announced to players, and the planned ones.
    package var scheduledRanges: (published: [DateRange], planned: [DateRange]) {
        core.withLock { $0.engine.scheduledRanges }
    }
}
