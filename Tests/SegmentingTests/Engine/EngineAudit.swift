import Codecs
import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Operations
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// Holds what an engine decides to the rules that no feed, no operator and no machine may break.
struct EngineAudit {
    let configuration: ChannelEngine.Configuration
    /// The crypto period whose key of a class each rendition was protected with last.
    private var keys: [KeyUse: Int64] = [:]
    /// Keys that the source has given, of now and later.
    private var arrived: Set<KeyReference> = []
    /// Classes that something was protected with.
    private(set) var classes: Set<KeyClass> = []
    /// Slots of which some classes have keys and others lack them.
    private(set) var partlyWithheld = 0
    private(set) var held = 0
    private(set) var withheld = 0
    private(set) var reused = 0
    /// The end of each rendition's newest segment.
    private var ends: [RenditionID: End] = [:]
    private var declared: Set<RenditionID> = []
    /// The first slot that it has observed.
    private(set) var first: MediaSequenceNumber?
    private var newest: MediaSequenceNumber?
    private(set) var slots = 0
    private(set) var gaps = 0
    private(set) var discontinuities = 0
    private(set) var switches = 0
    /// Segments of pictures that begin with a splice.
    private(set) var splices = 0
    var ranges = DateRangeAudit()
    /// Segments of text with cues, and those without.
    private(set) var (subtitled, unsubtitled) = (0, 0)
    private(set) var parts: PartAudit
    /// The window that a peer, or a later run, continues from.
    private(set) var window = PublishedWindow(newest: nil, renditions: [], edges: [:], expires: nil)
    /// The tags that playlists have around each recent slot.
    private(set) var told: [MediaSequenceNumber: String] = [:]
    /// The contents of each recent slot.
    private(set) var published: [MediaSequenceNumber: String] = [:]
    private(set) var violations: [String] = []

    private struct KeyUse: Hashable {
        var rendition: RenditionID
        var keyClass: KeyClass
    }

    private struct End {
        var number: MediaSequenceNumber
        var decodeTime: Int64
        var timescale: Int64
        var utc: MediaTime
        var isGap: Bool
        /// The ticks by which UTC may have been slewed in it.
        var slewing: Int64
        /// The same of it and of the gaps before it.
        var slewingInGaps: Int64
        var configuration: String?
    }

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
        parts = PartAudit(longest: configuration.horizon.partDuration)
    }

    private var grid: SegmentGrid { configuration.grid }

    /// Hears of keys before the engine does.
    mutating func hear(_ event: ChannelEngine.Event) {
        guard case .keysArrived(_, let references) = event else { return }
        arrived.formUnion(references.values.joined())
    }

    mutating func observe(_ actions: [ChannelEngine.Action], at now: MediaTime) {
        for action in actions {
            switch action {
            case .publish(let decisions):
                for decision in decisions {
                    observe(decision, at: now)
                    for note in decision.notes { observe(note) }
                }
            case .publishPart(let part): violations += parts.observe(part, newest: newest, at: now)
            case .report(let report): observe(report)
            default: break
            }
        }
    }

    private mutating func observe(_ report: ChannelEngine.Report) {
        if case .record(let event) = report, event.kind == .switched { switches += 1 }
    }

    private mutating func observe(_ slot: ChannelEngine.SlotDecision, at now: MediaTime) {
        slots += 1
        if let newest {
            // RFC 8216bis § 4.4.3.2, 6.2.2: numbers count on, and what was published does not come again.
            expect(
                slot.followsLeap ? slot.number > newest : slot.number == newest.next,
                "\(slot.number) follows \(newest)"
            )
        }
        first = first ?? slot.number
        newest = slot.number
        expect(grid.start(of: slot.number) <= now, "slot \(slot.number) lies in the future")
        let ids = slot.segments.map(\.id)
        declared = Set(slot.renditions.map(\.id))
        window.renditions = slot.renditions
        expect(declared.count == slot.renditions.count, "names are unique")
        expect(Set(ids).count == ids.count, "one slot, one segment of each rendition")
        expect(Set(ids).isSubset(of: declared), "what is published was declared")
        if slot.startsDiscontinuity { discontinuities += 1 }
        for segment in slot.segments { observe(segment, of: slot) }
        observeText(of: slot)
        observeKeys(of: slot)
        violations += parts.observe(slot)
        violations += ranges.observe(slot)
        violations = Array(violations.prefix(20))
        for id in ends.keys where !ids.contains(id) { ends[id] = nil }
        window.newest = slot.number
        window.dateRanges = (window.dateRanges + slot.dateRanges.all).suffix(20)
        window.splicePlan = slot.splicePlan
        window.expires = grid.start(of: slot.number) + grid.slotDuration * 10
        let edges = slot.segments.map { segment in
            let cut = segment.contents.cut
            let isGap = cut.isGap || cut.filler != nil
            let end = cut.decodeTime + cut.duration
            return (
                segment.id,
                PublishedWindow.Edge(
                    start: cut.start.utc,
                    end: end,
                    timescale: cut.timescale,
                    isGap: isGap,
                    selection: cut.selection
                )
            )
        }
        window.edges = Dictionary(uniqueKeysWithValues: edges)
        published[slot.number] = slot.segments.map { Self.summary($0) }.joined(separator: " | ")
        told[slot.number] =
            "\(slot.dateRanges.above.lines)|\(slot.dateRanges.cue?.lines ?? "")|\(slot.dateRanges.below.lines)"
        if published.count > 8, let oldest = published.keys.min() { (published[oldest], told[oldest]) = (nil, nil) }
    }

    /// Checks that text is a gap only where its input is lost, and that it has the cues of the slot.
    private mutating func observeText(of slot: ChannelEngine.SlotDecision) {
        let pictures = slot.segments.first { $0.form.kind == .video }?.contents.cut
        for segment in slot.segments {
            let cut = segment.contents.cut
            guard case .text = segment.form.kind else { continue }
            if let pictures, !pictures.isGap, pictures.isWhole {
                expect(!cut.isGap, "\(segment.id) \(slot.number): there is text as long as its input goes on")
            }
            guard let cues = cut.cues else { continue }
            if cues.isEmpty { unsubtitled += 1 } else { subtitled += 1 }
            expect(cues.allSatisfy { $0.overlaps(cut.start.media, cut.end.media) }, "cues are of their slot")
            expect(cues.map(\.start) == cues.map(\.start).sorted(), "cues are in order")
        }
    }

    /// Nothing but text is in the clear, which has no key; each class has its own keys, which do not go back, and none
    /// suffers for another.
    private mutating func observeKeys(of slot: ChannelEngine.SlotDecision) {
        guard let periods = configuration.cryptoPeriods else { return }
        let period = periods.period(of: slot.number)
        if slot.waited > .zero { held += 1 }
        // RFC 8216bis § 6.2.2
        let promise = MediaTime(ticks: grid.longestSegment.ticks * 3 / 2) - grid.slotDuration
        expect(slot.waited <= promise, "slot \(slot.number) was held for \(slot.waited.seconds) s")
        let sessionKeys = slot.announcement?.sessionKeys ?? []
        expect(sessionKeys.allSatisfy { [period, period.next].contains($0.period) }, "session keys are of now")
        expect(sessionKeys.allSatisfy { slot.keyClasses.contains($0.keyClass) }, "session keys are of use")
        arrived = arrived.filter { $0.period >= period }
        let isMissing = slot.segments.map(\.contents.protection).compactMap { protection -> Bool? in
            switch protection {
            case .missing: true
            case .keys: false
            case .clear, .clearLead: nil
            }
        }
        if Set(isMissing).count > 1 { partlyWithheld += 1 }
        for segment in slot.segments {
            let cut = segment.contents.cut
            let keyClass = configuration.keyClasses.keyClass(of: segment.form.kind, cut.configuration)
            switch segment.contents.protection {
            case let protection where !segment.form.kind.isProtected:
                expect(protection == .clear && segment.keyClass == nil, "\(segment.id) \(slot.number) has a key")
            case .clear, .clearLead: expect(cut.isGap, "\(segment.id) \(slot.number) is in the clear")
            case .missing:
                withheld += 1
                // Parts that were protected before the key was there settle the rest of the slot.
                let isThere = keyClass.map { arrived.contains(.made(for: $0, period)) } ?? true
                expect(
                    configuration.horizon != .slot || !isThere,
                    "\(segment.id) \(slot.number) lacks a key that is there"
                )
            case .keys(let references):
                guard let keyClass else { return expect(false, "\(segment.id) \(slot.number) is of no class") }
                expect(
                    references.allSatisfy { $0.keyClass == keyClass },
                    "\(segment.id) \(slot.number): its class's key"
                )
                classes.insert(keyClass)
                let use = KeyUse(rendition: segment.id, keyClass: keyClass)
                let used = references.map(\.period)
                let before = keys[use]
                expect(used == [period] || used.first.map { $0 < period } ?? false, "a key is of now or of before")
                expect(used == [period] || configuration.lateKey == .reuse, "only reuse uses a key again")
                if let before, let used = used.first { expect(used.index >= before, "keys do not go back") }
                if used != [period] { reused += 1 }
                keys[use] = used.first?.index
            }
        }
    }

    private mutating func observe(
        _ segment: ChannelEngine.SlotDecision.Segment,
        of slot: ChannelEngine.SlotDecision
    ) {
        let cut = segment.contents.cut
        if cut.isGap { gaps += 1 }
        expect(cut.number == slot.number, "a segment is its slot's")
        expect(cut.duration > 0, "a segment lasts")
        let duration = MediaTime(cut.duration, timescale: cut.timescale)
        // RFC 8216bis § 4.4.3.1
        expect(
            Int(duration.seconds.rounded()) <= grid.targetDuration,
            "\(segment.id) \(slot.number): EXTINF \(duration.seconds) is above the target duration"
        )
        let edge = grid.start(of: slot.number)
        let slack = grid.tolerance + MediaTime(milliseconds: 800)
        // A splice moves the nearest edge, and a key frame may be late against that as well.
        expect(
            abs((cut.start.utc - edge).ticks) <= slack.ticks * 3 / 2,
            "\(segment.id) \(slot.number) starts near its edge"
        )
        if EngineEncoder.isSplice(cut.start.utc), cut.samples.first?.isSync == true, segment.form.kind == .video {
            splices += 1
        }
        if !cut.isGap {
            if cut.cues == nil {
                expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration, "samples fill the segment")
            }
            expect(cut.configuration != nil, "media has a configuration")
        }
        if let end = ends[segment.id], end.number.next == slot.number {
            if end.timescale == cut.timescale {
                // After a gap audio is moved by less than a frame, so that it is again what it would have been. And all media
                // continues at that of renditions whose clock was slewed meanwhile.
                let moved = MediaTime(ticks: end.slewingInGaps).value(timescale: cut.timescale)
                let slack = end.isGap ? max(Int64(cut.configuration?.audio?.samplesPerFrame ?? 1) - 1, moved) : 0
                expect(
                    abs(end.decodeTime - cut.decodeTime) <= slack,
                    "\(segment.id) \(slot.number): media time runs on: \(end.decodeTime) \(end.isGap), "
                        + "then \(cut.decodeTime) \(cut.isGap) \(cut.samples.count)"
                )
            }
            let error = abs((end.utc - cut.start.utc).ticks)
            expect(error <= end.slewing, "\(segment.id) \(slot.number): dates run on: \(error)")
        }
        let before = ends[segment.id]?.configuration
        let configuration = cut.configuration.map(\.rfc6381)
        if let before, let configuration, before != configuration {
            // RFC 8216bis § 4.4.4.3
            expect(slot.startsDiscontinuity, "\(segment.id) \(slot.number): another encoding is a discontinuity")
        }
        // UTC is slewed by up to 2000 ppm, that of an input which takes over as well.
        let slewing = duration.ticks / 250 + 2
        let slewingBefore = ends[segment.id]?.slewingInGaps ?? 0
        ends[segment.id] = End(
            number: slot.number,
            decodeTime: cut.decodeTime + cut.duration,
            timescale: cut.timescale,
            utc: cut.start.utc + duration,
            isGap: cut.isGap,
            slewing: slewing,
            slewingInGaps: cut.isGap ? slewingBefore + slewing : 0,
            configuration: configuration ?? before
        )
    }

    /// Returns the actions of an engine, word for word.
    static func text(of actions: [ChannelEngine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .publishPart(let part): "part \(part.index) \(Self.summary(part.id, part.cut))"
            case .publish(let slots):
                slots.map { slot in
                    "\(slot.number) \(slot.startsDiscontinuity) \(slot.renditions.map(\.id)) \(slot.withdrawn.map(\.name).sorted()) "
                        + slot.segments.map { "\(summary($0)) \($0.contents.protection)" }.joined(separator: " | ")
                        + " \(slot.waited) \(slot.announcement?.sessionKeys ?? []) "
                        + slot.notes.map(text).joined(separator: "; ")
                }.joined(separator: "\n")
            case .takeOverPeer: "take over"
            case .announceKeys(let announcement):
                "announce from \(announcement.firstUse.map { "\($0.seconds)" } ?? "") "
                    + announcement.terms.map { "\($0.key) \($0.value)" }.sorted().joined(separator: " ")
            case .requestKeys(let request): "ask for \(request)"
            case .report(let report): text(of: report)
            case .end: "end"
            }
        }
    }

    private static func text(of report: ChannelEngine.Report) -> String {
        switch report {
        case .log(let level, let message, let metadata):
            "\(level) \(message) \(metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
        case .record(let event): "\(event.time) \(event.kind) \(event.message)"
        }
    }

    private static func summary(_ segment: ChannelEngine.SlotDecision.Segment) -> String {
        summary(segment.id, segment.contents.cut)
    }

    static func summary(_ id: RenditionID, _ cut: CutSegment) -> String {
        let payloads = cut.samples.map { "\($0.payload.getInteger(at: $0.payload.readerIndex, as: Int64.self) ?? 0)" }
        let cues = cut.cues.map { " \($0.map { "\($0.start.ticks)" })" } ?? ""
        return "\(id) \(cut.start.media.ticks) \(cut.decodeTime)+\(cut.duration) \(cut.isGap) "
            + payloads.joined(separator: ",") + cues
    }

    private mutating func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition, violations.count < 20 { violations.append(rule()) }
    }
}
