import MediaCore
import Playlists
import SCTE35

@testable import Segmenting

/// A schedule that hears sections at seconds of UTC, and is asked slot by slot, each of four seconds.
///
/// Timestamps are UTC modulo 2^33.
struct SpliceFixture {
    var schedule = SpliceSchedule()
    /// Splices that segments are to begin with, in seconds.
    private(set) var boundaries: [Double] = []
    /// The slot that is told of next, counted from 1970.
    private var slot = start / 4

    /// A second that a slot begins with.
    static let start: Int64 = 1_800_000_000

    static func at(_ seconds: Double) -> MediaTime {
        MediaTime(seconds: start) + MediaTime(milliseconds: Int64(seconds * 1000))
    }

    static func timestamp(_ seconds: Double) -> UInt64 { UInt64(at(seconds).ticks) & (1 << 33 - 1) }

    static func out(
        _ event: UInt32,
        at seconds: Double?,
        lasting duration: Double? = nil,
        returns: Bool = false
    ) -> SpliceInfoSection {
        var details = SpliceInsert.Details(isOut: true, place: place(seconds))
        details.duration = duration.map { BreakDuration(ticks: UInt64($0 * 90_000), returnsByItself: returns) }
        return SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
    }

    static func back(_ event: UInt32, at seconds: Double?) -> SpliceInfoSection {
        let details = SpliceInsert.Details(isOut: false, place: place(seconds))
        return SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
    }

    static func cancel(_ event: UInt32) -> SpliceInfoSection {
        SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: nil)))
    }

    static func signal(_ event: UInt32, _ types: UInt8..., at seconds: Double) -> SpliceInfoSection {
        let descriptors = types.map { type in
            let details = SegmentationDescriptor.Details(type: SegmentationType(rawValue: type))
            return SpliceDescriptor.segmentation(SegmentationDescriptor(eventID: event, details: details))
        }
        return SpliceInfoSection(.timeSignal(timestamp(seconds)), descriptors)
    }

    private static func place(_ seconds: Double?) -> SpliceInsert.Place {
        seconds.map { .program(timestamp($0)) } ?? .immediately
    }

    /// Hears a section, when the feed has come so far.
    mutating func hear(_ section: SpliceInfoSection, at heard: Double = 0, from input: InputID = .input(0)) throws {
        let bytes = try section.bytes()
        let message = try SpliceMessage(reading: bytes.span.bytes)
        for cue in message.section.cues {
            var time = Self.at(heard)
            if let timestamp = cue.timestamp {
                let distance = (timestamp - time.ticks) & (1 << 33 - 1)
                time += MediaTime(ticks: distance > 1 << 32 ? distance - 1 << 33 : distance)
            }
            let received = ReceivedCue(cue: cue, message: message, time: time, heard: Self.at(heard), input: input)
            boundaries += schedule.received(received).map { ($0 - MediaTime(seconds: Self.start)).seconds }
        }
    }

    /// Returns the tags of the next slot; one that a splice has moved ends, and the one after it, at other seconds.
    mutating func tell(until end: Double? = nil, splice: Double? = nil) -> DateRangeLines {
        let begin = MediaTime(seconds: slot * 4)
        slot += 1
        return schedule.announce(
            SlotReach(
                start: begin,
                end: end.map(Self.at) ?? begin + MediaTime(seconds: 4),
                splice: splice.map(Self.at),
                nextEnd: begin + MediaTime(seconds: 8)
            )
        )
    }

    /// Returns the tags of so many slots, each with the seconds at which it begins.
    mutating func tags(slots: Int) -> [String] {
        (0..<slots).flatMap { _ in
            let second = slot * 4 - Self.start
            let lines = tell()
            return lines.above.map { "\(second) above \($0.summary)" }
                + lines.below.map { "\(second) below \($0.summary)" }
        }
    }
}

extension DateRange {
    /// The tags in words, sections by their names and dates by the second of the fixture.
    var summary: String {
        let second = start.map { "\(($0 - MediaTime(seconds: SpliceFixture.start)).seconds)" } ?? "-"
        var text = "\(id) \(second)"
        if let plannedDuration { text += " planned \(plannedDuration.seconds)" }
        if let duration { text += " lasts \(duration.seconds)" }
        if spliceOut != nil { text += " OUT" }
        if spliceIn != nil { text += " IN" }
        if spliceCommand != nil { text += " CMD" }
        return text
    }
}
