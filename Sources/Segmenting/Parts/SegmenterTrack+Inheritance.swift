import MediaCore
import Playlists
import Timeline

extension Segmenter {
    /// Continues with slots whose first parts an earlier run has published.
    mutating func resume(_ parts: [PublishedWindow.OpenSlotParts], track: TrackIndex) {
        if horizon != .slot { tracks[track.value].inherited = parts }
    }
}

/// Slots that an earlier run has begun in parts.
///
/// Published parts stay valid. If a feed is read once more after an upgrade, the slot is cut again from its start, and
/// its first parts match the published ones. Otherwise, or if they differ, the slot continues after them with gaps.
extension SegmenterTrack {
    /// The parts that an earlier run has told of a slot; nil if there are none, or the slot continues after them.
    func parts(inheritedOf number: MediaSequenceNumber) -> PublishedWindow.OpenSlotParts? {
        inherited.isEmpty ? nil : inherited.first { $0.number == number }
    }

    /// Corrects a complete slot that differs from its published parts.
    ///
    /// - Parameters:
    ///   - slot: A slot that was filled from its start on.
    ///   - utc: The end of the slot, in UTC.
    ///   - isWhole: True if its start is complete.
    /// - Returns: The number of parts that viewers have; nil if nothing differs.
    mutating func correct(_ slot: inout OpenSlot, endingAt utc: MediaTime, isWhole: Bool) -> Int? {
        guard let before = parts(inheritedOf: slot.number) else { return nil }
        if isWhole, slot.parts.count >= before.durations.count, before.agree(with: slot.parts) { return nil }
        slot = continuing(slot, after: before)
        let boundary = slot.end.boundary
        if utc > boundary.utc {
            let offset = boundary.utc - boundary.media
            let end = Boundary(media: utc - offset, utcOffset: offset)
            slot.append(gap: CutSegment(number: slot.number, gapAfter: slot.end, to: end))
        }
        return before.durations.count
    }

    /// Returns a slot without media that begins with inherited parts, which are not handed out again.
    mutating func continuing(_ slot: OpenSlot, after before: PublishedWindow.OpenSlotParts) -> OpenSlot {
        inherited.removeAll { $0.number == before.number }
        emitted = (before.number, before.durations.count)
        return slot.beginning(with: before)
    }

    /// Compares a slot with what its sources have.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - end: The end of the slot where another track leads; nil if it is not known.
    /// - Returns: True if a source has passed it.
    func hasPassed(_ number: MediaSequenceNumber, end: MediaTime?) -> Bool {
        sources.ranks.contains { index in
            if let slot = sources[index].slot { return slot > number }
            guard let end, let newest = sources[index].newest else { return false }
            return newest >= end
        }
    }
}

extension OpenSlot {
    /// Returns the same slot with nothing but parts that viewers have; their media is not known here.
    fileprivate func beginning(with before: PublishedWindow.OpenSlotParts) -> OpenSlot {
        var slot = emptied()
        for duration in before.durations {
            let start = slot.end.boundary
            let end = Boundary(media: start.media + duration.time, utcOffset: start.utc - start.media)
            slot.append(emitted: CutSegment(number: number, gapAfter: slot.end, to: end))
        }
        return slot
    }
}

extension PublishedWindow.OpenSlotParts {
    /// Returns true if media that a source offers may begin with them: nothing but all of the slot does, and no media
    /// follows a gap.
    func mayContinue(_ offer: SourceSelector.Offer) -> Bool {
        if case .partial = offer { return false }
        return !hasGap
    }

    private var hasGap: Bool { mediaCount < durations.count }

    /// Returns true if parts are these, as far as there are as many.
    func agree(with parts: [CutSegment]) -> Bool {
        !hasGap
            && zip(durations, parts).allSatisfy { duration, part in
                !part.isGap && duration.value * part.timescale == part.duration * duration.timescale
            }
    }
}
