import MediaCore
import Operations
import Timeline

/// The inputs of a channel with their shared clocks, and the alignment of backups with their inputs.
struct InputTable: Sendable {
    /// The feeds of the inputs that were added, sorted by ``InputID``.
    private(set) var feeds: [ChannelEngine.Feed] = []
    /// The clocks of those inputs placed by arrival that may share an encoder.
    private(set) var clocks = ArrivalClocks()
    /// The alignments of backups with their inputs, by position.
    private var alignments: [InputPosition: InputAlignment] = [:]
    /// The time at which the first input was open; nil before.
    private(set) var firstOpened: MediaTime?
    /// True if the channel has its tracks; later ones join.
    var hasStarted = false
    /// The positions of inputs that carry timed metadata.
    var positionsWithTags: Set<InputPosition> = []
    /// The number of bytes of the samples that the inputs have delivered.
    var receivedBytes = 0
    /// The inputs that may open soon after the start, because the channel has not waited for them.
    var awaited: [InputID] = []

    /// The longest time that a channel waits for its other inputs once one is open.
    private static let patience = MediaTime(seconds: 10)
    /// The longest time that it waits for an input whose backup is open.
    private static let backupPatience = MediaTime(seconds: 2)

    /// The indices of all feeds.
    var range: Range<FeedIndex> { feeds.range }

    subscript(_ feed: FeedIndex) -> ChannelEngine.Feed {
        _read { yield feeds[feed.value] }
        _modify { yield &feeds[feed.value] }
    }

    /// Returns a track of a feed, by the container's index; nil if it has no place.
    ///
    /// It is called for each packet, and reading through the subscript would allocate.
    func track(_ index: InputTrackIndex, of feed: FeedIndex) -> ChannelEngine.Feed.Track? {
        feeds[feed.value].tracks?[index]
    }

    /// Returns the index of the feed of an input, which was added.
    func index(of input: InputID) -> FeedIndex {
        guard let index = feeds.firstIndex(where: { $0.id == input }) else {
            // The engine adds every input before any other event of it.
            preconditionFailure("\(input) was not added")
        }
        return FeedIndex(index)
    }

    mutating func add(_ input: InputID, _ pace: InputPace, _ configuration: ChannelEngine.Configuration) {
        // Only the arrival of live media can be compared, and only one backup is aligned.
        let hasCounterpart = input.rank <= .firstBackup && configuration.backupCount > 0
        let isAligned = configuration.clock == .arrival && pace == .live && hasCounterpart
        if isAligned, alignments[input.position] == nil { alignments[input.position] = InputAlignment() }
        feeds.append(ChannelEngine.Feed(id: input, pace: pace, isAligned: isAligned, configuration))
        feeds.sort { $0.id < $1.id }
    }

    /// Takes the tracks of an input that is open before the channel has its tracks.
    mutating func opened(_ feed: FeedIndex, _ tracks: [InputTrack], at now: MediaTime) {
        firstOpened = firstOpened ?? now
        self[feed].opened = tracks
    }

    /// Checks that enough inputs are open to know the channel's tracks.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the channel.
    ///   - known: The positions whose tracks are known from an earlier run.
    ///   - now: The time now, in UTC.
    /// - Returns: True if they are open, or the wait for them is over.
    func mayStart(_ configuration: ChannelEngine.Configuration, known: Set<InputPosition>, at now: MediaTime) -> Bool {
        guard let first = firstOpened else { return false }
        let opened = feeds.filter { $0.opened != nil }.map(\.id)
        let positions = configuration.positions
        if positions.allSatisfy({ opened.contains(.input(at: $0)) }) { return true }
        let missing = positions.filter { position in !opened.contains { $0.position == position } }
        if !known.isEmpty, known.isSuperset(of: missing) { return true }
        return now - first > (missing.isEmpty ? Self.backupPatience : Self.patience)
    }

    /// Takes the inputs that were awaited after the start, once their time is over.
    mutating func takeOverdue(at now: MediaTime) -> [InputID] {
        guard !awaited.isEmpty, let first = firstOpened, now - first > Self.patience else { return [] }
        defer { awaited = [] }
        return awaited
    }

    /// The placements of the inputs that are placed by their arrival.
    var placements: [InputID: InputTimeline.Placement] {
        let placed = feeds.compactMap { feed in
            feed.timeline.placement(shift: feed.shift, correction: feed.correction).map { (feed.id, $0) }
        }
        return Dictionary(placed) { first, _ in first }
    }
}

// MARK: - Clocks

extension InputTable {
    /// Takes the timestamps of a packet, as ``ChannelEngine/Feed/received(_:canAnchor:at:signalled:shared:)``.
    mutating func received(
        _ packet: PacketInfo,
        of feed: FeedIndex,
        canAnchor: Bool,
        at reading: ClockReading,
        signalled: SignalledTime?
    ) -> InputTimeline.Reception {
        feeds[feed.value].received(
            packet,
            canAnchor: canAnchor,
            at: reading,
            signalled: signalled,
            shared: &clocks
        )
    }

    /// Returns the positions of other inputs that share the clock of a feed.
    func sharing(with feed: FeedIndex) -> Set<InputPosition> { feeds[feed.value].sharing(clocks) }

    /// Returns the last measurement of the backup's offset from its input; nil if it is not measured.
    func alignment(of feed: FeedIndex) -> OffsetMeter.Alignment? {
        let feed = feeds[feed.value]
        return feed.isAligned ? alignments[feed.id.position]?.alignment : nil
    }

    /// Measures anew, since an aligned feed was opened.
    mutating func align(_ feed: FeedIndex, timestampModulus: Int64?) {
        let (id, side) = (feeds[feed.value].id, feeds[feed.value].side)
        guard feeds[feed.value].isAligned else { return }
        alignments[id.position]?.opened(side, timestampModulus: timestampModulus)
    }

    /// Takes the shift and the correction that a feed had in another channel.
    ///
    /// They stay until its offset is measured anew.
    mutating func inherit(shift: MediaTime, correction: MediaTime, of feed: FeedIndex) {
        let (id, side) = (feeds[feed.value].id, feeds[feed.value].side)
        feeds[feed.value].shift = shift
        feeds[feed.value].correction = correction
        guard feeds[feed.value].isAligned else { return }
        alignments[id.position]?.inherit(shift: shift, correction: correction, of: side)
    }

    /// Takes a picture of an aligned feed, its UTC not shifted.
    ///
    /// - Returns: The alignment, if it is new.
    mutating func measure(
        _ picture: OffsetMeter.Picture,
        of feed: FeedIndex,
        at now: MediaTime
    ) -> OffsetMeter.Alignment? {
        let (id, side) = (feeds[feed.value].id, feeds[feed.value].side)
        return alignments[id.position]?.received(picture, from: side, at: now)
    }

    /// Corrects the UTC of an aligned feed, so that shifts do not add up.
    ///
    /// - Returns: False if it is not aligned.
    mutating func correct(_ feed: FeedIndex, at now: MediaTime) -> Bool {
        let position = feeds[feed.value].id.position
        guard let correction = alignments[position]?.correction(at: now) else { return false }
        feeds[feed.value].correction = correction
        return true
    }

    /// Returns the input that a feed is aligned with; nil if it was not added.
    func counterpart(of feed: FeedIndex) -> InputID? {
        let id = feeds[feed.value].id
        let other: SourceRank
        switch id.rank {
        case .primary: other = .firstBackup
        case .firstBackup: other = .primary
        default: return nil
        }
        return feeds.first { $0.id.position == id.position && $0.id.rank == other }?.id
    }

    /// Shifts an aligned feed that is not on air, so that both inputs show the same at the same time.
    mutating func shift(_ feed: FeedIndex, isOtherOnAir: Bool) {
        let (id, side) = (feeds[feed.value].id, feeds[feed.value].side)
        let shift = alignments[id.position]?.shift(of: side, isOtherOnAir: isOtherOnAir)
        feeds[feed.value].shift = shift ?? .zero
    }
}
