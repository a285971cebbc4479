import MediaCore
import Playlists
import SCTE35

/// The tags of the EXT-X-CUE-OUT family, which know one break at a time.
extension SpliceSchedule {
    /// Returns the tags of a slot whose ranges are announced.
    ///
    /// If breaks are nested, the outer one counts. A break has whole segments: it begins with the first segment at or
    /// after its start, and is over with the first segment at or after its end.
    ///
    /// - Parameters:
    ///   - slot: The times of the slot.
    ///   - tags: The form of the tags.
    ///   - kinds: The kinds of splices that count as advertisements.
    /// - Returns: The tags; nil if there are none.
    mutating func cue(of slot: SlotReach, _ tags: CueOutTags, among kinds: [AdvertisementKind]) -> BreakCue? {
        if tags == .none { return nil }
        let time = slot.start + SlotReach.near
        let open = breaks.filter { $0.isOpen(at: time) && $0.isAdvertisement(among: kinds) }
        let endsBreak = currentBreak.map { id in !open.contains { $0.id == id } } ?? false
        if endsBreak { currentBreak = nil }
        let begins = currentBreak == nil
        if begins { currentBreak = open.min { $0.isOutside($1) }?.id }
        guard let current = open.first(where: { $0.id == currentBreak && currentBreak != nil }) else {
            return endsBreak ? BreakCue(endsBreak: true) : nil
        }
        let elapsed = max(.zero, slot.start - (current.announcedStart ?? slot.start))
        return BreakCue(
            endsBreak: endsBreak,
            out: BreakCue.Break(
                elapsed: begins ? nil : elapsed,
                duration: current.planned?.wholeMilliseconds,
                section: tags == .enhanced ? current.section : nil
            )
        )
    }
}

extension SpliceBreak {
    /// Returns true if its start was announced by then, and its end was not.
    fileprivate func isOpen(at time: MediaTime) -> Bool {
        guard let start = announcedStart, start <= time else { return false }
        return !isEndAnnounced || end.map { $0.time > time } ?? false
    }

    fileprivate func isAdvertisement(among kinds: [AdvertisementKind]) -> Bool {
        kinds.contains { $0.segmentationType == event.type?.rawValue }
    }

    /// Returns true if it begins before another, or begins with it and lasts longer.
    fileprivate func isOutside(_ other: SpliceBreak) -> Bool {
        if start != other.start { return start < other.start }
        return planned ?? .zero > other.planned ?? .zero
    }
}
