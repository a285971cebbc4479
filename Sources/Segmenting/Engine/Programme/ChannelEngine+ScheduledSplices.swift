import MediaCore
import Operations
import Playlists
import SCTE35
import Timeline

/// Scheduled splices of people and programs: announced, and cut for, as those of a feed are.
extension ChannelEngine {
    /// The longest time ahead of a splice; later ones are refused, as those of a feed are passed over.
    static let furthestSplice = MediaTime(seconds: 600)
    /// The most splices that wait for their slots.
    private static let mostSplices = 128

    /// Checks a splice that is to be scheduled.
    ///
    /// - Parameters:
    ///   - section: The bytes of a section.
    ///   - time: The time of the splice, in UTC.
    ///   - effective: The time up to which slots are without it, in UTC.
    /// - Returns: The slot that it is in, or the reason why it is refused.
    func reviewed(splice section: [UInt8], at time: MediaTime, from effective: MediaTime) -> ScheduleOutcome {
        let message: SpliceMessage
        do throws(SpliceError) {
            message = try SpliceMessage(reading: section.span.bytes)
        } catch {
            return .refused(.brokenSection("\(error)"))
        }
        guard configuration.spliceMarkers != .none else { return .refused(.noSplices) }
        let cues = message.section.cues.filter(programme.isWanted)
        if cues.isEmpty { return .refused(.sectionOfNothing) }
        let earliest = firstUndecided(after: effective)
        if time < earliest { return .refused(.past(earliest: earliest)) }
        if time > now + Self.furthestSplice { return .refused(.tooEarly(limit: Self.furthestSplice)) }
        let begins = cues.contains { if case .out = $0.role { true } else { false } }
        if programme.scheduledSplices.count >= Self.mostSplices || begins && programme.isFullOfBreaks {
            return .refused(.tooMany)
        }
        var plan = segmenter.plan
        if case .planned(let slot) = plan.add(splice: time, heard: effective) { return .slot(slot, at: time) }
        return .slot(plan.slot(at: time), at: time)
    }

    /// Makes segments begin with a splice, which is announced to players with the slot before.
    ///
    /// Both members of a pair know it from the same time on, while the progress of their feeds differs. A cancelled or
    /// shortened break returns its boundaries to the grid, except in a pair: a member that restarts may know of its
    /// announcement, and the other one not yet.
    ///
    /// - Parameters:
    ///   - action: A splice of the schedule.
    ///   - before: The boundaries that were expected without it.
    mutating func conditionSplice(_ action: ScheduleAction, before: Set<MediaTime>) {
        let boundaries = programme.expectedBoundaries
        // An action that was accepted for an earlier run may be over.
        for boundary in boundaries.subtracting(before).sorted() where boundary > segmenter.leaderEnd?.utc ?? .zero {
            condition(boundary, heard: action.effective, of: nil)
        }
        guard configuration.scheduleLead == .zero else { return }
        withdraw(before.subtracting(boundaries), heard: action.effective, of: nil)
    }
}
