import Codecs
import ISOBMFF
import MediaCore
import Playlists

@testable import Segmenting

/// Holds the parts of slots to RFC 8216bis § 4.4.4.9, 6.2.1: what was told is what the slot's segment has.
struct PartAudit {
    /// The longest duration of a part; nil if there are none.
    let longest: MediaTime?
    private(set) var count = 0
    private(set) var gaps = 0
    /// Slots of renditions that were there before, of which no parts were told.
    private(set) var untold = 0
    /// The parts of each recent slot.
    private(set) var told: [MediaSequenceNumber: String] = [:]
    private var open: [RenditionID: [ChannelEngine.PartDecision]] = [:]
    /// The parts of the slot after, where a track is ahead of the others.
    private var ahead: [RenditionID: [ChannelEngine.PartDecision]] = [:]
    private var published: Set<RenditionID> = []
    /// The tags that parts carry, of the last minute.
    private var tags: [RenditionID: Set<TimedTag>] = [:]
    /// The number of tags that parts carry.
    private(set) var tagged = 0

    init(longest: MediaTime?) {
        self.longest = longest
    }

    mutating func observe(
        _ part: ChannelEngine.PartDecision,
        newest: MediaSequenceNumber?,
        at now: MediaTime
    ) -> [String] {
        guard let longest else { return ["there are no parts"] }
        count += 1
        if part.cut.isGap { gaps += 1 }
        var broken: [String] = []
        func expect(_ condition: Bool, _ rule: String) {
            if !condition { broken.append("part \(part.index) of \(part.id) \(part.cut.number): \(rule)") }
        }
        let current = open[part.id]?.first?.cut.number
        let isAhead = current.map { $0 < part.cut.number } ?? false
        let before = (isAhead ? ahead : open)[part.id] ?? []
        expect(newest.map { part.cut.number > $0 } ?? true, "its slot is not over")
        expect(
            before.first.map { $0.cut.number == part.cut.number } ?? true,
            "parts of one slot, then those of the next"
        )
        expect(part.index == before.count, "parts count on, \(before.count) come before it")
        let duration = MediaTime(part.cut.duration, timescale: part.cut.timescale)
        expect(duration > .zero && duration <= longest, "none lasts longer than the part target: \(duration)")
        expect(
            part.cut.end.utc <= now + MediaTime(seconds: 2),
            "it lies in the future: \(part.cut.start.utc.iso8601) to \(part.cut.end.utc.iso8601) at \(now.iso8601), \(part.cut.isGap)"
        )
        if !part.cut.isGap {
            expect(part.cut.samples.reduce(0) { $0 + Int64($1.duration) } == part.cut.duration, "samples fill it")
            expect(!Self.hasLateEntry(part.cut, longest), "it ends before a sync sample once it has 85 % of the target")
        }
        if part.contents.isGap {
            expect(!part.isIndependent, "players cannot begin with a gap")
            expect(part.contents.tags?.isEmpty ?? true, "a gap has no tags")
        }
        for tag in part.contents.tags ?? [] {
            tagged += 1
            expect(tags[part.id, default: []].insert(tag).inserted, "a tag is in one part: \(tag.utc.iso8601)")
        }
        if let last = before.last {
            expect(!last.cut.isGap || part.cut.isGap, "nothing follows a gap but gaps")
            let isExempt = last.cut.isGap || part.cut.isGap || last.cut.samples.contains(where: \.isSync)
            let lastDuration = MediaTime(last.cut.duration, timescale: last.cut.timescale)
            // Pictures that last half as long as a part leave no choice.
            let next = MediaTime(Int64(part.cut.samples.first?.duration ?? 0), timescale: part.cut.timescale)
            expect(
                isExempt || lastDuration.ticks * 100 >= longest.ticks * 85 || lastDuration + next > longest,
                "the one before lasts \(lastDuration)"
            )
            if last.cut.timescale == part.cut.timescale {
                expect(last.cut.decodeTime + last.cut.duration == part.cut.decodeTime, "media time runs on")
            }
        }
        if isAhead { ahead[part.id] = before + [part] } else { open[part.id] = before + [part] }
        return broken
    }

    mutating func observe(_ slot: ChannelEngine.SlotDecision) -> [String] {
        guard longest != nil else { return [] }
        told[slot.number] = text(of: slot)
        if told.count > 8, let oldest = told.keys.min() { told[oldest] = nil }
        var broken: [String] = []
        for segment in slot.segments where !segment.form.kind.isSparse {
            let cut = segment.contents.cut
            func expect(_ condition: Bool, _ rule: String) {
                if !condition { broken.append("\(segment.id) \(slot.number): \(rule)") }
            }
            guard let parts = open[segment.id], parts.first?.cut.number == slot.number else {
                if published.contains(segment.id) { untold += 1 }
                expect(segment.contents.partCount == 0, "no parts were told")
                continue
            }
            expect(segment.contents.partCount == parts.count, "\(segment.contents.partCount) of \(parts.count) parts")
            expect(
                segment.contents.tags?.isEmpty ?? true && segment.contents.sections.isEmpty,
                "tags and sections are in parts"
            )
            expect(parts.contains(where: \.cut.isGap) == cut.isGap, "a segment with a part that is a gap is a gap")
            expect(
                parts.first?.startsDiscontinuity == slot.startsDiscontinuity,
                "its first part said of a discontinuity: \(slot.startsDiscontinuity), "
                    + "\(parts.map { ($0.cut.isGap, $0.cut.configuration?.rfc6381 ?? "") }) "
                    + "\(slot.segments.map { ($0.contents.cut.isGap, $0.contents.cut.configuration?.rfc6381 ?? "") })"
            )
            expect(
                parts.first?.cut.decodeTime == cut.decodeTime || cut.timescale != parts.first?.cut.timescale,
                "it begins as told"
            )
            guard !cut.isGap else { continue }
            expect(
                parts.allSatisfy { $0.contents.protection == segment.contents.protection },
                "one key protects all of it"
            )
            let told = parts.flatMap(\.cut.samples)
            expect(told.map(\.payload) == cut.samples.map(\.payload), "it has the samples that were told")
            expect(told.map(\.duration) == cut.samples.map(\.duration), "they last as long as was told")
            expect(parts.reduce(0) { $0 + $1.cut.duration } == cut.duration, "it lasts as long as was told")
        }
        let ids = Set(slot.segments.map(\.id))
        for id in open.keys where !ids.contains(id) && open[id]?.first?.cut.number == slot.number {
            broken.append("\(id) \(slot.number): parts were told, and no segment is there")
        }
        published = ids
        let minute = MediaTime(seconds: 60)
        if let start = slot.segments.first?.contents.cut.start.utc {
            for id in tags.keys { tags[id] = tags[id]?.filter { $0.utc > start - minute } }
        }
        open = open.filter { ($0.value.first?.cut.number ?? slot.number) > slot.number }
        open.merge(ahead) { current, _ in current }
        ahead = [:]
        return broken
    }

    /// Returns true if players could begin with a sample of a part that is so far from its start that the part has to end
    /// there.
    private static func hasLateEntry(_ cut: CutSegment, _ longest: MediaTime) -> Bool {
        var length: Int64 = 0
        return zip(cut.samples, cut.samples.dropFirst()).contains { sample, next in
            length += Int64(sample.duration)
            let time = MediaTime(length, timescale: cut.timescale)
            return next.isSync && !sample.isSync && time.ticks * 100 >= longest.ticks * 85
        }
    }

    /// Returns the parts of a slot, word for word, with their tags but for those that came late: a member that joins
    /// does not know of all.
    private func text(of slot: ChannelEngine.SlotDecision) -> String {
        slot.segments.map { segment in
            (open[segment.id] ?? []).filter { $0.cut.number == slot.number }
                .map { part in
                    let tags = (part.contents.tags ?? []).map(\.utc).filter(part.cut.span.contains)
                    return "\(part.index) \(EngineAudit.summary(part.id, part.cut)) \(tags.map(\.ticks))"
                }
                .joined(separator: "; ")
        }
        .joined(separator: " | ")
    }
}
