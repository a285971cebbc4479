import MediaCore
import Operations
import Playlists
import SCTE35
import Timeline

/// Splices of people or programs: told, and cut for, as those of a feed are.
extension ChannelEngine {
    /// Splices that are further off are refused, as those of a feed are passed over.
    static let furthestSplice = MediaTime(seconds: 600)
    /// So many wait for their slots at most.
    private static let mostSplices = 128

    /// Looks at a splice that somebody wants.
    ///
    /// - Parameters:
    ///   - section: The bytes of a section.
    ///   - time: When it happens, in UTC.
    ///   - effective: UTC up to which slots are without it.
    /// - Returns: The slot that it is in, or why it is in none.
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
        if time < earliest { return .refused(.past(by: earliest - time, earliest: earliest)) }
        if time > now + Self.furthestSplice { return .refused(.tooEarly(limit: Self.furthestSplice)) }
        if programme.scheduledSplices.count >= Self.mostSplices { return .refused(.tooMany) }
        var plan = segmenter.plan
        if case .planned(let slot) = plan.add(splice: time, heard: effective) { return .slot(slot, at: time) }
        return .slot(plan.slot(at: time), at: time)
    }

    /// Segments are to begin with a splice; players are told of it with the slot before.
    ///
    /// What was heard of it by then is the same on both members of a pair: how far their feeds have come is not.
    mutating func conditionSplice(_ action: ScheduleAction, _ section: [UInt8], at time: MediaTime) {
        guard let message = try? SpliceMessage(reading: section.span.bytes) else { return }
        for cue in message.section.cues where programme.isWanted(cue) && cue.role != .command && cue.role != .cancel {
            let heard = action.effective
            let received = ReceivedCue(cue: cue, message: message, time: time, heard: heard, input: .schedule)
            let boundaries = SpliceBreak(received)?.boundaries ?? [time]
            // What was accepted for an earlier run may be over.
            for boundary in boundaries where boundary > segmenter.leaderEnd?.utc ?? .zero {
                condition(boundary, heard: action.effective, of: nil)
            }
        }
    }
}
