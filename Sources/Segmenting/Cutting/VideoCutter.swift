import Codecs
package import MediaCore
package import Timeline

/// Cuts one video track by the channel's plan of boundaries.
///
/// A slot's segment starts at the first sync sample at or after the slot's edge (half a frame of tolerance), at most
/// `D/2` late. If the next sync sample would make a segment outlast the target duration, the segment starts at the last
/// one before the edge. Without one, it starts at a recovery point, or else at any sample. A slot without samples is a
/// gap. Numbers neither skip nor repeat. Both fields of a frame are one sample, and are never cut apart.
///
/// Samples are ordered by a *decode clock* that equals presentation time at sync samples. So a segment's decode time is
/// its earliest presentation time, and composition offsets may be negative, which saves an edit list.
package struct VideoCutter: Sendable {
    /// The known starts of the channel's slots.
    package var plan: BoundaryPlan
    /// True if each sample of a segment is final as it comes, and no cut is revoked.
    let isFinalAtOnce: Bool

    /// The slot being filled; nil before the first sync sample.
    package internal(set) var slot: MediaSequenceNumber?
    /// Repairs since ``takeRepairs()`` was last called.
    package internal(set) var repairs: [CutRepair] = []

    var start = Boundary(media: .zero, utcOffset: .zero)
    var samples: [Sample] = []
    /// The number of samples that were handed out as parts.
    var emitted = 0
    /// The end of the newest part.
    var partEnd: Boundary?
    var configuration: CodecConfiguration? {
        didSet {
            guard isFinalAtOnce, configuration != oldValue else { return }
            declaredDuration = configuration?.declaredFrameDuration
        }
    }
    /// The duration of each picture by the headers, if slots are decided in parts; nil if the headers lack it.
    private(set) var declaredDuration: MediaTime?
    var firstWholeSlot = MediaSequenceNumber(0)
    /// The slot after those of an earlier run, and its start in UTC; nil once that time has passed.
    var resumption: (number: MediaSequenceNumber, start: MediaTime)?
    /// Presentation minus decode time at the newest sync sample.
    var reordering = MediaTime.zero
    /// The same value at the start of the slot being filled.
    var reorderingAtStart = MediaTime.zero
    var frames = FrameSteps()
    var isAwaitingSync = true
    /// True if leading pictures of the newest sync sample or recovery point refer to lost pictures.
    var skipsLeading = true
    /// The presentation time of the newest recovery point, if there was no sync sample since: earlier pictures lead it.
    var recovery: MediaTime?
    /// True if a picture of the slot being filled was lost, or its end is not the next one's start.
    var isHurt = false
    /// The newest sync sample that lies less than `D/2` before the slot's end.
    var early: Int?
    var lastSync: MediaTime?
    /// The distance of sync samples before anything was lost.
    var syncInterval: MediaTime?
    /// True if the first slot was begun without knowing the distance of sync samples.
    var isBlind = true

    /// The time without samples from which on it is a loss, not a slow frame rate.
    static let hole = FrameSteps.hole
    /// The most that a sample may be earlier than the one before; earlier ones are too late.
    static let mostDisorder = MediaTime(milliseconds: 500)
    /// The time, beyond the grid's tolerance, that a segment may begin early or end late; the same for every rung of a
    /// ladder.
    static let slack = MediaTime(milliseconds: 10)

    /// - Parameters:
    ///   - plan: The starts of the channel's slots.
    ///   - horizon: The horizon of the channel.
    package init(_ plan: BoundaryPlan, horizon: CommitHorizon = .slot) {
        self.plan = plan
        isFinalAtOnce = horizon != .slot
    }

    /// True if decoding could start anywhere yet.
    package internal(set) var hasSync = false

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [CutRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// Notes that the input broke off: decoding can only continue from a sync sample.
    package mutating func inputRestarted() {
        isAwaitingSync = true
        isHurt = true
    }

    /// Notes a lost picture that decoding continues without.
    package mutating func pictureLost() { isHurt = true }

    /// Takes over the present distance of UTC and media time if it moved by more than slewing without media.
    ///
    /// A clock that an input shares with others is slewed while the input is away.
    ///
    /// - Parameter utcOffset: UTC minus media time.
    mutating func resume(at utcOffset: MediaTime) {
        guard samples.isEmpty, start.isAstray(from: utcOffset) else { return }
        start = Boundary(media: start.utc - utcOffset, utcOffset: utcOffset)
    }

    /// Ends a slot at its deadline: the samples that have come fill it, or it is a gap.
    ///
    /// - Returns: The segment; nil if `number` is not the slot being filled or the slot is not whole.
    package mutating func deadlinePassed(for number: MediaSequenceNumber, utcOffset: MediaTime) -> CutSegment? {
        guard let slot, slot == number else { return nil }
        let cut = closeBeforeHole(slot, utcOffset: utcOffset)
        return isWhole(slot) ? cut : nil
    }

    /// Makes the last segment, at the end of the feed, from the remaining samples; it ends with them.
    package mutating func finish(utcOffset: MediaTime) -> CutSegment? {
        guard let slot, let last = samples.last else { return nil }
        let end = min(max(last.decodeTime, start.media) + frameDuration, start.media + plan.grid.longestSegment)
        let cut = close(slot, at: Boundary(media: end, utcOffset: utcOffset, after: start))
        return isWhole(slot) ? cut : nil
    }
}

extension VideoCutter {
    var frameDuration: MediaTime { frames.duration }
    var halfFrame: MediaTime { MediaTime(ticks: frameDuration.ticks / 2) }

    /// Returns true if the track was there from the slot's start on; other slots are not published.
    func isWhole(_ number: MediaSequenceNumber) -> Bool { number >= firstWholeSlot }

    /// Returns the latest time at which a slot's segment may end, in UTC.
    ///
    /// A slewed clock can move key frames over the tolerance and back if they come once a slot, half a slot from its
    /// edges. The slack keeps each in its slot. The first slot has no slack.
    func latestEnd(of slot: MediaSequenceNumber) -> MediaTime {
        let slack = isWhole(slot) ? Self.slack : .zero
        return min(start.utc + plan.grid.longestSegment, plan.latestStart(of: slot.next) + slack)
    }
}
