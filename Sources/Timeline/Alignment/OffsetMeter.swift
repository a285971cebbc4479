package import MediaCore

/// Measures how far a backup lies behind its primary while both deliver, for inputs that are anchored on their arrival.
///
/// Each was placed by its own arrival, so the same scene has two UTCs that differ by the difference of the two paths'
/// delays. Evidence, best first: pictures that are the same in both, timestamps of one shared clock, and failing these
/// the assumption that both paths take equally long.
///
/// It measures, and nothing else: pictures are given with the UTC of their input's own anchor, *without* any shift, or
/// the meter would measure its own result. The caller turns an ``Alignment`` into one shift of a whole input
/// (`Alignment.backupShift`), and adds it to every UTC and media time of that input. It changes the shift only while
/// the input fills no slot: on air that would tear a hole or repeat pictures. There is no slewing between two
/// alignments. While ``alignment`` is nil, after a restart of either input, the shift that was applied last stays.
///
/// Pure; memory is bounded by the horizon and a fixed number of pictures. One pair of video tracks is enough.
package struct OffsetMeter: Sendable {
    package enum Side: Hashable, Sendable {
        case primary, backup
    }

    /// One picture as one input delivered it.
    package struct Picture: Hashable, Sendable {
        /// The hash of the access unit; nil if it was not taken.
        var fingerprint: ContentHash?
        /// The presentation timestamp as the input counts it, in 90 kHz ticks.
        var timestamp: Int64
        /// UTC of its presentation, by the input's own anchor, not shifted.
        var utc: MediaTime

        package init(fingerprint: ContentHash?, timestamp: Int64, utc: MediaTime) {
            self.fingerprint = fingerprint
            self.timestamp = timestamp
            self.utc = utc
        }
    }

    /// The alignment as known now; nil until both inputs have delivered for a while since the last restart of either.
    package private(set) var alignment: Alignment?

    private let horizon: MediaTime
    private var primary: History
    private var backup: History
    private var matches = Matches()
    /// The time when a picture last agreed with the alignment.
    private var supportedAt = MediaTime.zero

    /// The largest distance of inputs, by their timestamps, at which these count as shared.
    ///
    /// No two contribution paths with one clock differ by more. Two independent clocks agree so well once in 95,000
    /// times (of 2^33 ticks).
    private static let sharedClockBound = MediaTime(milliseconds: 500)
    /// The least offset that is corrected: a picture at 50/s, and half of one at 25/s, which the grid tolerates.
    private static let hysteresis = MediaTime(milliseconds: 20)
    /// The time for which both deliver before their timestamps are compared; equal pictures would have been found by
    /// then.
    private static let comparing = MediaTime(seconds: 2)
    /// The same before nothing is left but to assume.
    private static let assuming = MediaTime(seconds: 5)

    /// - Parameter horizon: The largest offset that equal pictures are looked for within.
    package init(horizon: MediaTime = MediaTime(seconds: 10)) {
        self.horizon = horizon
        primary = History(timestampModulus: nil)
        backup = History(timestampModulus: nil)
    }

    /// Notes that an input was opened, for the first time or again: earlier measurements no longer hold.
    ///
    /// - Parameters:
    ///   - side: The input that was opened.
    ///   - timestampModulus: Ticks of 90 kHz after which its timestamps wrap; nil if never.
    package mutating func opened(_ side: Side, timestampModulus: Int64?) {
        switch side {
        case .primary: primary = History(timestampModulus: timestampModulus)
        case .backup: backup = History(timestampModulus: timestampModulus)
        }
        matches.removeAll()
        alignment = nil
    }

    /// A picture arrived.
    ///
    /// - Parameters:
    ///   - picture: A picture of a track that both inputs carry.
    ///   - side: The input that delivered it.
    ///   - arrival: UTC of its arrival.
    /// - Returns: The new alignment if better evidence was found or the offset has moved; else nil.
    package mutating func received(_ picture: Picture, from side: Side, at arrival: MediaTime) -> Alignment? {
        let anchorMoved =
            switch side {
            case .primary: primary.received(picture, at: arrival, horizon: horizon, tolerance: Self.hysteresis)
            case .backup: backup.received(picture, at: arrival, horizon: horizon, tolerance: Self.hysteresis)
            }
        if anchorMoved {
            matches.removeAll()
            alignment = nil
        }
        if let offset = picture.fingerprint.flatMap(match) {
            matches.append(offset)
            if isNear(offset) { supportedAt = arrival }
        }
        guard let found = bestEvidence(at: arrival), isNews(found, at: arrival) else { return nil }
        alignment = found
        supportedAt = arrival
        return found
    }

    /// The offset by a picture that both have, if it tells one.
    private func match(_ fingerprint: ContentHash) -> MediaTime? {
        guard let first = primary.sighting(of: fingerprint), let second = backup.sighting(of: fingerprint) else {
            return nil
        }
        let offset = second - first
        return abs(offset.ticks) <= horizon.ticks ? offset : nil
    }

    private func bestEvidence(at now: MediaTime) -> Alignment? {
        if let newest = matches.newest {
            let count = matches.count(near: newest)
            if count >= Matches.enough { return Alignment(offset: newest, method: .matchingPictures(count)) }
        }
        guard let since = primary.since, let other = backup.since else { return nil }
        let both = now - max(since, other)
        guard both >= Self.comparing else { return nil }
        if let offset = backup.clockOffset(from: primary), abs(offset.ticks) <= Self.sharedClockBound.ticks {
            return Alignment(offset: offset, method: .sharedTimestamps)
        }
        return both >= Self.assuming ? Alignment(offset: .zero, method: .arrival) : nil
    }

    private func isNews(_ found: Alignment, at now: MediaTime) -> Bool {
        guard let alignment else { return true }
        let (rank, oldRank) = (found.method.rank, alignment.method.rank)
        guard rank == oldRank else { return rank > oldRank }
        guard !isNear(found.offset) else { return false }
        if case .matchingPictures = found.method, abs(found.offset.ticks) > abs(alignment.offset.ticks) {
            // A feed that repeats itself matches at several offsets; as long as the nearest holds, it is the one.
            return now - supportedAt > horizon
        }
        return true
    }

    private func isNear(_ offset: MediaTime) -> Bool {
        alignment.map { abs((offset - $0.offset).ticks) <= Self.hysteresis.ticks } ?? false
    }
}
