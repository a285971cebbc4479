import MediaCore
import Playlists

/// The slots that playlists list, which decide when renditions come and go.
///
/// The window follows from the decisions, and is as long as configured. Even if one member of a pair lists less because
/// memory is short, both leave out the same renditions with the same slots.
struct ListedWindow: Sendable {
    /// The length of playlists; nil if they never lose a slot.
    private let length: WindowLength?
    /// The slots, with those that have left the head and are not removed yet.
    private var storage: [SlotOutline] = []
    /// The number of slots in ``storage`` that have left.
    private var removedCount = 0
    /// The duration of all listed slots.
    private var duration = MediaTime.zero

    /// The length that is kept if playlists never lose a slot: enough to know which renditions were listed lately.
    private static let shortest = WindowLength(duration: .zero, targetDuration: 0)

    init(length: WindowLength?) {
        self.length = length
    }

    /// The listed slots, oldest first.
    var slots: ArraySlice<SlotOutline> { storage[removedCount...] }

    /// Returns true if a listed slot has media of the feed for a rendition.
    func hasMedia(of id: RenditionID) -> Bool { slots.reversed().contains { $0[id] == .media } }

    /// Returns true if no listed slot has media of the feed for a rendition, while others have some.
    ///
    /// Others must have had media in six slots, the least of a live playlist: a rendition that begins a moment later
    /// than the others, after an outage of all, is not lost.
    func isAbandoned(_ id: RenditionID) -> Bool {
        if length == nil || hasMedia(of: id) { return false }
        return slots.count { $0[id] != nil && $0.hasMedia } >= WindowLength.minimumCount
    }

    /// Lists the slots of an earlier run, or of a peer, again.
    mutating func restore(_ slots: [SlotOutline]) {
        (storage, removedCount) = (slots, 0)
        duration = slots.reduce(.zero) { $0 + $1.duration }
        trim()
    }

    /// Lists a slot, and removes those that leave the head for it.
    mutating func append(_ decision: ChannelEngine.SlotDecision) {
        let outline = outline(of: decision)
        // A stream starts with media in every rendition that is waited for.
        let isWhole = outline.segments.count == decision.segments.count
        if slots.isEmpty, !outline.canLead || decision.waitsForAll && !isWhole { return }
        if decision.followsLeap { restore([]) }
        storage.append(outline)
        duration += outline.duration
        trim()
    }

    /// Forgets a slot that is not listed after all, because the playlists cannot begin with it.
    mutating func passedOver(_ number: MediaSequenceNumber) {
        guard let first = slots.first, first.number == number else { return }
        removedCount += 1
        duration -= first.duration
    }

    /// Notes a segment that could not be written.
    mutating func notWritten(
        _ id: RenditionID,
        in number: MediaSequenceNumber,
        _ fallback: ChannelEngine.SlotDecision.Fallback
    ) {
        guard let index = storage.lastIndex(where: { $0.number == number }), index >= removedCount,
            let segment = storage[index].segments.firstIndex(where: { $0.id == id })
        else { return }
        // A rendition that was not listed does not begin with a gap.
        if fallback == .gap, index > removedCount, storage[index - 1][id] != nil {
            storage[index].segments[segment].content = .gap
        } else {
            storage[index].segments.remove(at: segment)
        }
    }

    private func outline(of decision: ChannelEngine.SlotDecision) -> SlotOutline {
        let last = slots.last
        var outline = SlotOutline(number: decision.number, duration: .zero, segments: [])
        var shortest: MediaTime?
        for segment in decision.segments {
            let (cut, isGap) = (segment.contents.cut, segment.contents.isGap)
            // A rendition that joins later begins with media.
            if isGap, last?[segment.id] == nil { continue }
            let content: SlotOutline.Content = isGap ? .gap : cut.filler == nil ? .media : .filler
            outline.segments.append(SlotOutline.Segment(segment.id, content))
            let duration =
                isGap ? cut.durationOfGap : SegmentDuration(value: cut.duration, timescale: cut.timescale)
            shortest = min(shortest ?? duration.time, duration.time)
        }
        outline.duration = shortest ?? .zero
        // Most slots have the same segments, and share their list.
        if let last, last.segments == outline.segments { outline.segments = last.segments }
        return outline
    }

    private mutating func trim() {
        let surplus = (length ?? Self.shortest)
            .surplus(of: slots, lasting: duration) { [slots] id in
                slots.reversed().contains { ($0[id] ?? .gap) != .gap }
            }
        for slot in slots.prefix(surplus) { duration -= slot.duration }
        removedCount += surplus
        // Removed in batches, so that a slot costs the same however long the window is.
        guard removedCount >= 16, removedCount * 2 > storage.count else { return }
        storage.removeFirst(removedCount)
        removedCount = 0
    }
}
