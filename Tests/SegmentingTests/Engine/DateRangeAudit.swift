import MediaCore
import Playlists

@testable import Segmenting

/// Holds what is told of splices to RFC 8216bis § 4.4.5.1.
struct DateRangeAudit {
    /// Tags of each range, in the order in which they were told.
    private(set) var told: [String: [DateRange]] = [:]
    /// Tags that were told in time, with the segment before.
    private(set) var punctual = 0
    /// Breaks that ad servers were told of.
    private(set) var cues = 0
    /// True if the newest slot lies in one; nil if that is not known.
    private var isOut: Bool?

    /// Begins with the tags that were told before it, and nothing else.
    mutating func restart(with tags: [DateRange]) {
        told = Dictionary(grouping: tags, by: \.id)
        isOut = nil
    }

    /// Returns the faults in the tags around a slot.
    mutating func observe(_ slot: ChannelEngine.SlotDecision) -> [String] {
        var problems: [String] = []
        func expect(_ condition: Bool, _ what: String) { if !condition { problems.append("\(slot.number): \(what)") } }
        for tag in slot.dateRanges.all {
            let before = told[tag.id] ?? []
            told[tag.id, default: []].append(tag)
            for problem in (before + [tag]).problems { expect(false, "\(problem)") }
            switch (tag.spliceCommand != nil, before.isEmpty) {
            case (true, let isFirst): expect(isFirst && tag.duration == .zero, "\(tag.id) is told of once")
            case (false, true): expect(tag.spliceOut != nil && tag.duration == nil, "\(tag.id) begins with a way out")
            case (false, false):
                expect(before.count == 1 && tag.spliceOut == nil && tag.duration != nil, "\(tag.id) ends once")
                expect(tag.start == before.first?.start, "\(tag.id) repeats its date")
            }
        }
        if let cue = slot.dateRanges.cue {
            if cue.endsBreak { expect(isOut != false, "EXT-X-CUE-IN ends nothing") }
            if cue.endsBreak { isOut = false }
            if let out = cue.out {
                expect(out.elapsed == nil ? isOut != true : isOut != false, "EXT-X-CUE-OUT is where it should not be")
                isOut = true
                if out.elapsed == nil { cues += 1 }
            }
        } else {
            expect(isOut != true || slot.segments.isEmpty, "a break goes on without EXT-X-CUE-OUT-CONT")
        }
        let ends = slot.segments.map(\.contents.cut).filter { $0.configuration?.kind == .video }.map(\.end.utc)
        punctual += slot.dateRanges.below.count { tag in
            ends.contains { abs(($0 - (tag.start ?? .zero) - (tag.duration ?? .zero)).milliseconds) <= 1 }
        }
        return problems
    }
}
