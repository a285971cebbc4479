package import MediaCore

/// Places one input's packets on the channel's timeline: unwraps, repairs, anchors, follows drift.
///
/// Two clocks are kept apart. The *media timeline* counts in the encoder's own ticks from an anchor and is never
/// stretched. *UTC* is the media timeline plus `utcOffset`, which alone is slewed against drift, by at most 2000 ppm.
/// With `ClockSource.pts` and `ClockSource.timecode` both are the signal's and the offset stays zero. A live input
/// that is placed by its arrival takes both from one of the channel's ``ArrivalClocks``.
///
/// Pure: the time of arrival and the channel's clocks are passed in, nothing is scheduled.
package struct InputTimeline: Sendable {
    /// The result of placing a packet.
    package enum Reception: Hashable, Sendable {
        case placed(SampleTimes)
        /// The anchor is not known yet: keep the sample, and place it by `InputTimeline.place(_:track:)` once
        /// ``InputTimeline/isAnchored``.
        case held(SampleTimes)
        case dropped
    }

    package let source: ClockSource
    let pace: InputPace
    /// The position of the input, among those that share their clocks.
    let input: InputPosition
    let grid: SegmentGrid
    let timecode: TimecodeClock

    /// UTC minus media time.
    package internal(set) var utcOffset = MediaTime.zero
    /// True if packets are being placed; false until the first anchor and while a reopened input settles.
    package var isAnchored: Bool { anchor != nil }
    /// Repairs since they were last taken.
    package internal(set) var repairs: [TimelineRepair] = []

    /// Findings about its clock since they were last taken.
    var findings: [ClockFinding] = []

    var unwrapper: TimestampUnwrapper
    /// Media time minus input time, by the newest anchor.
    var anchor: MediaTime?
    var tracks: [InputTrackIndex: Track] = [:]
    /// The packets before the anchor.
    var beginning = InputBeginning()
    /// The clock of the newest anchor, for a live feed whose timestamps do not tell UTC.
    var clock: ArrivalClocks.ID?
    /// The place that another timeline of the same feed had; nil if there was none, and once it was made use of.
    package var inherited: Placement?
    /// True if the packets are those that the other timeline has had: all its tracks begin late.
    var isCatchingUp = false
    var end = MediaTime.zero
    /// The time when the input was opened, which for a stored feed is as good as any to begin at.
    var openedAt = MediaTime.zero

    /// True if arrival is used because the signal is missing.
    ///
    /// It stays true when the input is opened again, so that a missing signal is not waited for twice.
    var isFallenBack = false
    /// The slot in which the anchor was last taken from a signal.
    var renewedAt: MediaSequenceNumber?
    /// The source of UTC now.
    var followed: ClockSource { isFallenBack ? .arrival : source }

    struct Track {
        var anchor: MediaTime?
        /// True if a packet of it has been believed.
        var hasBegun = false
        var decode: MediaTime
        var arrival: MediaTime
        var step = MediaTime(ticks: 1)
        /// The least that this track's packets came after their UTC.
        var lag = LagFilter()
        var late: (since: MediaTime, lag: MediaTime)?
        var suspect: MediaTime?
        var signal = SignalFollower()
        /// The clock that its timestamps count, and the one that they counted before they jumped.
        var clock: ArrivalClocks.ID?
        var previousClock: ArrivalClocks.ID?
    }

    /// - Parameters:
    ///   - source: The source of UTC.
    ///   - pace: True if arrival means anything.
    ///   - grid: Stored feeds are anchored on a slot's edge.
    ///   - timecode: Reads timecode.
    ///   - input: The position of the input, among those that share their clocks.
    package init(
        source: ClockSource,
        pace: InputPace,
        grid: SegmentGrid,
        timecode: TimecodeClock = TimecodeClock(),
        input: InputPosition = InputPosition(0)
    ) {
        self.source = source
        self.pace = pace
        self.grid = grid
        self.timecode = timecode
        self.input = input
        self.unwrapper = TimestampUnwrapper(modulus: nil)
    }

    /// The input was opened, for the first time or again; its timestamps may have started over.
    ///
    /// - Parameters:
    ///   - timestampModulus: Ticks of 90 kHz after which they wrap.
    ///   - now: UTC; stored feeds that were opened at the same time stay in sync.
    package mutating func opened(timestampModulus: Int64?, now: MediaTime) {
        // PTS that carries UTC modulo 2^33 (26.5 h) is the congruent time nearest to this machine's clock.
        unwrapper = TimestampUnwrapper(modulus: timestampModulus, reference: source == .pts ? now.ticks : nil)
        beginSettling()
        openedAt = now
        if source == .pts, pace == .live { anchor = .zero }
        renewedAt = nil
    }

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [TimelineRepair] {
        if repairs.isEmpty { return [] }
        defer { repairs = [] }
        return repairs
    }

    /// Takes the findings about its clock.
    package mutating func takeFindings() -> [ClockFinding] {
        if findings.isEmpty { return [] }
        defer { findings = [] }
        return findings
    }

    /// Places an item with a timestamp that does not affect the clock.
    ///
    /// - Parameter timestamp: In 90 kHz ticks as the input counts them.
    /// - Returns: Its place on the media timeline; nil while there is none.
    package func place(timestamp: Int64) -> MediaTime? {
        guard isAnchored else { return nil }
        var near = unwrapper
        let time = MediaTime(ticks: near.unwrap(timestamp))
        return place(SampleTimes(decode: time, presentation: time), of: nil).presentation
    }

    /// Places held times, now that the anchor is known.
    ///
    /// - Parameters:
    ///   - held: As it was returned.
    ///   - track: The `PacketInfo.trackIndex` that it came with; without it, as of a track without timecode.
    ///   - arrival: UTC of its arrival.
    /// - Returns: Its place; nil if it has none, because timestamps have jumped since.
    package func place(_ held: SampleTimes, track: InputTrackIndex? = nil, arrival: MediaTime) -> SampleTimes? {
        let placed = place(track.map { mended(held, of: $0) } ?? held, of: track.flatMap { tracks[$0] })
        // Packets from before a jump of the timestamps would lie anywhere.
        let lead = placed.presentation + utcOffset - arrival
        if isPlacedByArrival, lead > Self.jump || lead < -Self.longestBacklog { return nil }
        return placed
    }

    func place(_ times: SampleTimes, of track: Track?) -> SampleTimes {
        let anchor = track?.anchor ?? anchor ?? .zero
        let (decode, presentation) = (times.decode + anchor, times.presentation + anchor)
        guard followed == .timecode, let frames = track?.signal.grid else {
            return SampleTimes(decode: decode, presentation: presentation)
        }
        // Labels give the presentation times, because timestamps were rounded.
        return SampleTimes(decode: frames.nearest(to: decode), presentation: frames.nearest(to: presentation))
    }
}
