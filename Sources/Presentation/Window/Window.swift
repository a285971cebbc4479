import MediaCore
import Playlists

/// The slots that the media playlists list, oldest first; their numbers have no holes.
struct Window: Hashable, Sendable {
    private(set) var slots = ListedSlots()
    /// The number of the first slot ever listed.
    private(set) var firstNumber: MediaSequenceNumber?
    /// The number of the newest slot, whether it is still listed or not; every number to come is higher.
    private(set) var lastNumber: MediaSequenceNumber?
    /// The number of discontinuities that have left the head.
    private(set) var discontinuitySequence = 0
    /// The date ranges at the head of every playlist that are not over there, though their slots are gone.
    private(set) var carriedRanges: [DateRange] = []
    /// The programme's splices to come.
    var splicePlan = SplicePlan()
    /// The date ranges of the slots.
    private var listedRanges: [DateRange] = []
    /// The sums over the slots.
    private(set) var sums = WindowSums()
    /// The slots that are not in memory.
    private(set) var stored = StoredSlots()
    /// The bytes of those slots that are listed.
    private var storedByteCount = 0
    /// The slot since which each rendition of the newest slot has been in every slot.
    private var starts: [RenditionID: Start] = [:]

    private struct Start {
        var number: MediaSequenceNumber
        /// The number of discontinuities before it.
        var discontinuitySequence: Int
    }

    /// The least number of slots in a live playlist.
    static let minimumCount = WindowLength.minimumCount
    /// The number of segments that a player wants to begin with.
    ///
    /// Chromium's own HLS player fails for good if it has fetched everything before the next segment comes, as at a
    /// start with one or two. RFC 8216bis § 6.3.3 has players begin three target durations before the end, which is
    /// longer still. But players start with three segments, and a channel's first viewers wait for each.
    static let startCount = 3
    /// A range that ends by no more than this before the first segment is listed with it: half a frame of 24 a second.
    ///
    /// Both dates are rounded to milliseconds, each for itself. By the letter of RFC 8216bis § 6.2.1 a range that ends with
    /// the very millisecond that the first segment is dated must still be listed.
    static let halfFrame = MediaTime(milliseconds: 21)

    init() {}

    /// Makes a window of saved slots and numbers, which fit together.
    init(
        slots: [ListedSlot],
        firstNumber: MediaSequenceNumber?,
        lastNumber: MediaSequenceNumber?,
        discontinuitySequence: Int,
        carriedRanges: [DateRange] = []
    ) {
        self.discontinuitySequence = discontinuitySequence
        self.carriedRanges = carriedRanges
        for slot in slots { append(slot) }
        self.firstNumber = firstNumber
        self.lastNumber = lastNumber
    }

    /// Compares the values that all else follows from.
    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.firstNumber == rhs.firstNumber && lhs.lastNumber == rhs.lastNumber
            && lhs.discontinuitySequence == rhs.discontinuitySequence && lhs.slots == rhs.slots
            && lhs.carriedRanges == rhs.carriedRanges && lhs.splicePlan == rhs.splicePlan
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(firstNumber)
        hasher.combine(lastNumber)
        hasher.combine(discontinuitySequence)
        hasher.combine(slots)
    }

    /// All date ranges that every playlist has.
    var dateRanges: [DateRange] { carriedRanges + listedRanges }

    var isEmpty: Bool { slots.isEmpty }
    var first: ListedSlot? { slots.first }
    var last: ListedSlot? { slots.last }
    /// The start of the oldest slot that is listed, in UTC.
    var start: MediaTime? { first?.segments.values.map(\.line.programDateTime).min() }
    /// The end of the newest slot that is listed, in UTC.
    var end: MediaTime? {
        last?.segments.values.map { $0.line.programDateTime + $0.line.duration.time }.max()
    }

    mutating func append(_ slot: ListedSlot) {
        firstNumber = firstNumber ?? slot.number
        lastNumber = slot.number
        for id in starts.keys where slot.segments[id] == nil { starts[id] = nil }
        let start = Start(number: slot.number, discontinuitySequence: discontinuitySequence + sums.discontinuities)
        for id in slot.segments.keys where starts[id] == nil { starts[id] = start }
        slots.append(slot)
        sums.add(slot)
        listedRanges += slot.dateRanges.all
    }

    /// Notes a slot that is not listed because nothing is listed yet.
    mutating func passOver(_ slot: ListedSlot) {
        carriedRanges += slot.dateRanges.all
        // Before the first listed slot, numbers and discontinuities do not count.
        guard firstNumber != nil else { return }
        lastNumber = slot.number
        if slot.startsDiscontinuity { discontinuitySequence += 1 }
    }

    /// The bytes of all listed segments in memory.
    var byteCountInMemory: Int { sums.byteCount - storedByteCount }

    func byteCountInMemory(of slot: ListedSlot) -> Int { stored.contains(slot.number) ? 0 : slot.byteCount }

    /// Notes the fate of a slot that is newer than all known ones, whether it is still listed or not.
    mutating func noteStored(_ slot: ListedSlot, _ isStored: Bool) {
        stored.note(slot.number, isStored: isStored)
        guard isStored, let head = first?.number, head <= slot.number else { return }
        storedByteCount += slot.byteCount
    }

    /// Forgets a slot that is no longer served.
    mutating func forgetStored(_ number: MediaSequenceNumber) { stored.forget(number) }

    /// Removes the surplus at the head, and notes the length of the rest.
    ///
    /// - Parameters:
    ///   - windowDuration: The duration that remains at least, unless there are too many bytes, or a playlist would
    ///     begin with a gap.
    ///   - targetDuration: The target duration, in seconds.
    ///   - maximumBytes: The most bytes that remain in memory, unless players need more segments.
    /// - Returns: The removed slots.
    mutating func trim(to windowDuration: MediaTime, targetDuration: Int, maximumBytes: Int) -> [ListedSlot] {
        var bytes = byteCountInMemory
        let surplus = WindowLength(duration: windowDuration, targetDuration: targetDuration).surplus(
            of: slots,
            lasting: sums.duration,
            hasMedia: { sums[$0].listedMedia > 0 },
            isTooMuch: { slot in
                defer { bytes -= byteCountInMemory(of: slot) }
                return bytes > maximumBytes
            }
        )
        return removeFirst(surplus)
    }

    /// Removes slots from the head, and notes the length of the rest.
    @discardableResult
    mutating func removeFirst(_ count: Int) -> [ListedSlot] {
        let removed = Array(slots.prefix(count))
        slots.removeFirst(count)
        for slot in removed {
            let ranges = slot.dateRanges.all
            carriedRanges += ranges
            listedRanges.removeFirst(ranges.count)
            sums.remove(slot)
            if stored.contains(slot.number) { storedByteCount -= slot.byteCount }
        }
        if slots.isEmpty { starts = [:] }
        discontinuitySequence += removed.count(where: \.startsDiscontinuity)
        slots.noteListing(of: sums.duration)
        if let start {
            // The date as playlists show it.
            let date = MediaTime(milliseconds: start.milliseconds)
            carriedRanges = carriedRanges.reaching(date - Self.halfFrame, besides: listedRanges)
        }
        return removed
    }

    /// Removes the head up to the last slot that lacks bytes: a listed line never changes, nor the bytes that it names.
    ///
    /// - Parameter isThere: Returns true if the bytes of a path are there.
    mutating func removeSlots(lacking isThere: (String) -> Bool) {
        removeSlots { !$0.paths.allSatisfy(isThere) }
    }

    /// Removes the head up to the last slot with encrypted segments.
    mutating func removeEncryptedSlots() {
        removeSlots { slot in
            slot.segments.values.contains { !$0.line.keys.isEmpty || !($0.line.map?.keys ?? []).isEmpty }
        }
    }

    /// Removes the head up to the last useless slot.
    private mutating func removeSlots(upToLast isUseless: (ListedSlot) -> Bool) {
        guard let last = slots.lastIndex(where: isUseless) else { return }
        // The rest begins as a channel does, with media.
        let start = slots[(last + 1)...].firstIndex(where: \.canLead) ?? slots.endIndex
        removeFirst(start)
    }

    /// Returns true if a rendition has a playlist.
    func lists(_ id: RenditionID) -> Bool { starts[id] != nil && !isEmpty }

    /// Returns the playlist of a rendition: its segments since it was last absent from a slot; nil if it is absent now.
    ///
    /// With `isIFramesOnly` it lists the independent pictures, one a segment.
    func playlist(
        of id: RenditionID,
        isIFramesOnly: Bool = false,
        targetDuration: Int,
        keyAddresses: KeyAddresses = KeyAddresses(),
        keyHint: KeyHint? = nil,
        isEnded: Bool
    ) -> ListedPlaylist? {
        guard let start = starts[id], let head = first?.number else { return nil }
        let isWhole = start.number <= head
        var keyHint = keyHint
        if let key = keyHint?.key { keyHint?.key = keyAddresses.playlistKey(key) }
        let frame = MediaPlaylist(
            targetDuration: targetDuration,
            mediaSequence: max(start.number, head),
            discontinuitySequence: isWhole ? discontinuitySequence : start.discontinuitySequence,
            variables: keyAddresses.variables(in: .media),
            keyHint: keyHint,
            isIFramesOnly: isIFramesOnly,
            isEnded: isEnded
        )
        let unlisted = isWhole ? 0 : Int(start.number.value - head.value)
        return ListedPlaylist(
            rendition: id,
            frame: frame,
            // All playlists have the same date ranges (RFC 8216bis § 6.2.4).
            carriedRanges: carriedRanges,
            unlistedLines: slots.prefix(unlisted).map { $0.dateRanges.textAbove + $0.dateRanges.textBelow }.joined(),
            windowRanges: listedRanges,
            slots: slots[unlisted...],
            keyAddresses: keyAddresses
        )
    }
}

extension ListedSlot {
    /// The paths of everything that its lines make players fetch.
    fileprivate var paths: [String] {
        segments.values.flatMap { [$0.line.isGap ? nil : $0.line.uri, $0.line.map?.uri].compactMap(\.self) }
    }
}
