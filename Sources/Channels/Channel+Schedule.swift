package import MediaCore
package import Operations
package import Playlists
import Segmenting
import Synchronization

/// What people or programs want on air.
extension Channel {
    /// The earliest moment that something accepted now can be about.
    ///
    /// - Parameter now: UTC.
    /// - Returns: That or later.
    package func earliest(at now: MediaTime) -> MediaTime { core.withLock { $0.engine.earliest(at: now) } }

    /// Puts something on air, as far as that can be.
    ///
    /// - Parameters:
    ///   - contents: In order; their times in UTC.
    ///   - now: UTC, as ``earliest(at:)`` was told.
    /// - Returns: What becomes of each, one for each that it has.
    package func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) -> [[ScheduleOutcome]] {
        let reading = ClockReading(utc: clock.now, wallClock: clock.wallClock)
        // What was looked at must not have changed when it is taken.
        let (outcomes, errands) = core.withLock { core in
            let review = core.engine.review(contents, at: now)
            if review.actions.isEmpty { return (review.outcomes, Core.Errands()) }
            return (review.outcomes, core.handle(.scheduled(review.actions, .here), at: reading, window: nil))
        }
        run(errands)
        return outcomes
    }

    /// Goes on with what was accepted before this run began; to be said once it is known what was published.
    package func recall(_ actions: [ScheduleAction]) { handle(.scheduled(actions, .earlier)) }

    /// Takes what the peer has accepted.
    package func merge(_ actions: [ScheduleAction]) { handle(.scheduled(actions, .peer)) }

    /// What may still have an effect.
    package var schedule: Schedule { core.withLock { $0.engine.schedule } }

    /// With all that is wanted told of them: the ranges that players have been told of, and those that are still to come.
    package var scheduledRanges: (told: [DateRange], planned: [DateRange]) {
        core.withLock { $0.engine.scheduledRanges }
    }
}
