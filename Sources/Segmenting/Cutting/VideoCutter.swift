package import MediaCore
package import Timeline

/// Cuts one video track by the channel's plan of boundaries.
///
/// A slot's segment starts at the first sync sample at or after the slot's edge (half a frame of tolerance), at most
/// `D/2` late. Where the next sync sample would make a segment outlast the target duration, the last one before the
/// edge is taken; where there is none, a recovery point, then any sample. A slot without samples is a gap. Numbers
/// neither skip nor repeat. Both fields of a frame are one sample, and are never cut apart.
///
/// Samples are ordered by a *decode clock* that equals presentation time at sync samples, so that a segment's decode
/// time is its earliest presentation time and composition offsets may be negative instead of needing an edit list.
package struct VideoCutter: Sendable {
    /// Where the channel's slots begin, as far as that is known.
    package var plan: BoundaryPlan
    /// Whether what a segment holds is final with each sample, and no cut is taken back.
    let isFinalAtOnce: Bool

    /// The slot being filled; nil before the first sync sample.
    package internal(set) var slot: MediaSequenceNumber?
    /// Repairs since they were last taken.
    package internal(set) var repairs: [CutRepair] = []

    var start = Boundary(media: .zero, utcOffset: .zero)
    var samples: [Sample] = []
    /// How many of them were told as parts.
    var told = 0
    /// Where the newest part ended.
    var partEnd: Boundary?
    var configuration: CodecConfiguration?
    var firstWholeSlot = MediaSequenceNumber(0)
    /// Presentation minus decode time at the newest sync sample.
    var reordering = MediaTime.zero
    /// The same where the slot being filled begins.
    var reorderingAtStart = MediaTime.zero
    var frameDuration = MediaTime(milliseconds: 20)
    var isAwaitingSync = true
    /// Whether leading pictures of the newest sync sample or recovery point refer to what is lost.
    var skipsLeading = true
    /// When the newest recovery point is presented, if there was no sync sample since: what is earlier leads it.
    var recovery: MediaTime?
    /// Whether a picture of the slot being filled was lost, or its end is not the next one's start.
    var isHurt = false
    /// The newest sync sample that lies less than `D/2` before the slot's end.
    var early: Int?
    var lastSync: MediaTime?
    /// How far apart sync samples were before anything was lost.
    var syncInterval: MediaTime?
    /// Whether the first slot was begun without knowing how far apart sync samples are.
    var isBlind = true

    /// Longer without samples than this is a loss, not a slow frame rate.
    static let hole = MediaTime(seconds: 1)
    /// A sample that is earlier than the one before by more than this has come too late.
    static let mostDisorder = MediaTime(milliseconds: 500)
    /// By so much more than the grid's tolerance a segment may begin early or end late; the same for every rung of a ladder.
    static let slack = MediaTime(milliseconds: 10)

    /// - Parameters:
    ///   - plan: Where the channel's slots begin.
    ///   - horizon: The channel's.
    package init(_ plan: BoundaryPlan, horizon: CommitHorizon = .slot) {
        self.plan = plan
        isFinalAtOnce = horizon != .slot
    }

    /// Whether decoding could start anywhere yet.
    package internal(set) var hasSync = false

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [CutRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// The input broke off: what follows can only be decoded from a sync sample on.
    package mutating func inputRestarted() {
        isAwaitingSync = true
        isHurt = true
    }

    /// A picture was lost that is not missed for decoding on.
    package mutating func pictureLost() { isHurt = true }

    /// Takes over how UTC lies to media time now, where that moved by more than slewing does while nothing came.
    ///
    /// The clock that an input shares with others is slewed while it is away.
    ///
    /// - Parameter utcOffset: UTC minus media time.
    mutating func resume(at utcOffset: MediaTime) {
        guard samples.isEmpty, start.isAstray(from: utcOffset) else { return }
        start = Boundary(media: start.utc - utcOffset, utcOffset: utcOffset)
    }

    /// The slot's time is up: whatever is there fills it, else it is a gap.
    ///
    /// - Returns: The segment; nil where `number` is not the slot being filled or the slot is not whole.
    package mutating func deadlinePassed(for number: MediaSequenceNumber, utcOffset: MediaTime) -> CutSegment? {
        guard let slot, slot == number else { return nil }
        isAwaitingSync = true
        isHurt = true
        let cut = close(slot, at: nominalEnd(of: slot, utcOffset: utcOffset))
        return isWhole(slot) ? cut : nil
    }

    /// The feed has ended: the samples that are left make the last segment, which ends where they end.
    package mutating func finish(utcOffset: MediaTime) -> CutSegment? {
        guard let slot, let last = samples.last else { return nil }
        let end = min(max(last.decodeTime, start.media) + frameDuration, start.media + plan.grid.longestSegment)
        let cut = close(slot, at: Boundary(media: end, utcOffset: utcOffset, after: start))
        return isWhole(slot) ? cut : nil
    }
}

extension VideoCutter {
    var halfFrame: MediaTime { MediaTime(ticks: frameDuration.ticks / 2) }

    /// Whether the track was there from the slot's start on; others are not published.
    func isWhole(_ number: MediaSequenceNumber) -> Bool { number >= firstWholeSlot }

    /// The latest that a slot's segment may end, in UTC.
    ///
    /// Where key frames come once a slot and half a slot from its edges, a clock that is slewed moves them over the
    /// tolerance and back; the slack keeps each in the slot where it is. A start is made without it.
    func latestEnd(of slot: MediaSequenceNumber) -> MediaTime {
        let slack = isWhole(slot) ? Self.slack : .zero
        return min(start.utc + plan.grid.longestSegment, plan.latestStart(of: slot.next) + slack)
    }
}
